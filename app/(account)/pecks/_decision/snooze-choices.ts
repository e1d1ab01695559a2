/** When a request can come back that the viewer answers later. */
import { day, hour, minute } from '@/lib/kernel/clock'
import { minuteOfDay } from '@/lib/kernel/time-zone'

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
  const latest = expiresAt.getTime() - beforeExpirySeconds * 1000
  const wanted = [
    { label: 'In an hour', at: start + hour * 1000 },
    { label: 'This evening', at: nextTime(now, evening, zone, 'today') },
    { label: 'Tomorrow morning', at: nextTime(now, morning, zone, 'tomorrow') },
  ].filter(({ at }) => at >= start + hour * 1000)
  const fitting = wanted.filter(({ at }) => at <= latest)
  const isCut = fitting.length < wanted.length && latest - start >= leastSeconds * 1000
  const all = isCut ? [...fitting, { label: 'Shortly before it expires', at: latest }] : fitting
  return all.map(({ label, at }) => ({ label, until: new Date(at).toISOString() }))
}

/** Returns when a clock in the zone shows that hour, on the day of `now` or the day after. */
function nextTime(now: Date, wantedHour: number, zone: string | null, on: 'today' | 'tomorrow'): number {
  const offset = wantedHour * 60 - minuteOfDay(now, zone ?? 'UTC')
  const minuteStart = Math.floor(now.getTime() / (minute * 1000)) * minute * 1000
  const at = minuteStart + (offset * minute + (on === 'tomorrow' ? day : 0)) * 1000
  // When the clocks change in between, the time is off by the difference.
  const shown = minuteOfDay(new Date(at), zone ?? 'UTC')
  const drift = ((wantedHour * 60 - shown + 36 * 60) % (24 * 60)) - 12 * 60
  return at + drift * minute * 1000
}
