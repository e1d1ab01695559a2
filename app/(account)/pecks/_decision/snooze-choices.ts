/** When a request can come back that the viewer answers later. */

import { hour, minute } from '@/lib/kernel/clock'
import { m } from '@/lib/kernel/messages'
import { dayAfter, dayOf, timeOn } from '@/lib/kernel/time-zone'

export interface SnoozeChoice {
  /** ISO 8601. */
  until: string
  label: string
}

/** The request comes back so long before it expires, so that there is time to answer. */
const beforeExpirySeconds = 15 * minute
/** A shorter time is no "later". */
const leastSeconds = 15 * minute

const evening = 18
const morning = 8

/** Returns the choices that make sense now: each comes back in time before the request expires. `zone` null: UTC. */
export function snoozeChoices(now: Date, expiresAt: Date, zone: string | null): SnoozeChoice[] {
  const start = now.getTime()
  const clock = zone ?? 'UTC'
  const today = dayOf(now, clock)
  const latest = expiresAt.getTime() - beforeExpirySeconds * 1000
  const wanted = [
    { label: m.decision_in_an_hour(), at: start + hour * 1000 },
    { label: m.decision_this_evening(), at: timeOn(today, evening, clock).getTime() },
    { label: m.decision_tomorrow_morning(), at: timeOn(dayAfter(today), morning, clock).getTime() },
  ].filter(({ at }) => at >= start + hour * 1000)
  const fitting = wanted.filter(({ at }) => at <= latest)
  const isCut = fitting.length < wanted.length && latest - start >= leastSeconds * 1000
  const all = isCut ? [...fitting, { label: m.decision_shortly_before_it_expires(), at: latest }] : fitting
  return all.map(({ label, at }) => ({ label, until: new Date(at).toISOString() }))
}
