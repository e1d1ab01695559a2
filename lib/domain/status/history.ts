/** Computes the history of the components from the samples of each day and the incidents. */

import type { z } from 'zod'
import { db, type Tx } from '@/lib/db/client'
import { connectRedis } from '@/lib/db/redis'
import { transaction } from '@/lib/db/transaction'
import { cached } from '@/lib/kernel/runtime/cached'
import { newId } from '@/lib/kernel/secrets/ids'
import { dayOf, daysAfter } from '@/lib/kernel/text/utc-day'
import type { ComponentName, Condition, StatusHistory } from './schema'

export interface IncidentSpan {
  component: ComponentName | null
  condition: Exclude<Condition, 'operational'>
  startedAt: Date
  endedAt: Date | null
}

interface DayHistory {
  day: string
  condition: Condition | 'no_data'
  outage_seconds: number
  degraded_seconds: number
  measured_seconds: number
}

export interface ComponentHistory {
  name: ComponentName
  uptime: number | null
  days: DayHistory[]
}

/** A sample stands for a minute. */
const sampleSeconds = 60
const daySeconds = 86_400

type Span = [from: number, to: number]

/** Returns the number of seconds that at least one of the spans covers between two times. */
function covered(spans: Span[], from: number, to: number): number {
  let sum = 0
  let end = from
  for (const [first, last] of spans.toSorted(([a], [b]) => a - b)) {
    const [start, stop] = [Math.max(first, end), Math.min(last, to)]
    if (stop > start) sum += stop - start
    end = Math.max(end, stop)
  }
  return Math.round(sum / 1000)
}

/** Returns the spans of the incidents that concern a component. Without the database no component works. */
function spansOf(name: ComponentName, incidents: IncidentSpan[], now: Date) {
  const own = incidents.filter(
    ({ component, condition }) =>
      component === null || component === name || (component === 'database' && condition === 'outage'),
  )
  const spans = (some: IncidentSpan[]) =>
    some.map(({ startedAt, endedAt }): Span => [startedAt.getTime(), (endedAt ?? now).getTime()])
  return { all: spans(own), outages: spans(own.filter(({ condition }) => condition === 'outage')) }
}

function conditionOf(outage: number, degraded: number, measured: number): DayHistory['condition'] {
  if (outage > 0) return 'outage'
  if (degraded > 0) return 'degraded'
  return measured > 0 ? 'operational' : 'no_data'
}

/** Returns the history of a component for the last days up to today. `samples` has the number of samples by day. */
export function componentHistory(
  name: ComponentName,
  days: number,
  samples: ReadonlyMap<string, number>,
  incidents: IncidentSpan[],
  now: Date,
): ComponentHistory {
  const { all, outages } = spansOf(name, incidents, now)
  // No worker can count samples while the database is down.
  const unsampled = spansOf('database', incidents, now).outages
  const list = Array.from({ length: days }, (_, index): DayHistory => {
    const day = daysAfter(dayOf(now), index + 1 - days)
    const from = Date.parse(day)
    const to = Math.min(from + daySeconds * 1000, now.getTime())
    const outage = covered(outages, from, to)
    const sampled = (samples.get(day) ?? 0) * sampleSeconds + covered(unsampled, from, to)
    const degraded = covered(all, from, to) - outage
    const measured = Math.min(Math.round((to - from) / 1000), Math.max(sampled, outage + degraded))
    return {
      day,
      condition: conditionOf(outage, degraded, measured),
      outage_seconds: outage,
      degraded_seconds: degraded,
      measured_seconds: measured,
    }
  })
  return { name, uptime: uptimeOf(list), days: list }
}

function uptimeOf(days: DayHistory[]): number | null {
  const measured = days.reduce((sum, day) => sum + day.measured_seconds, 0)
  const outage = days.reduce((sum, day) => sum + day.outage_seconds, 0)
  return measured === 0 ? null : Math.max(0, 1 - outage / measured)
}

/** Incidents that the operator writes, and the operator's text for measured ones. */

export interface Incident extends IncidentSpan {
  id: string
  byOperator: boolean
  note: string | null
}

interface NewIncident {
  component: ComponentName | null
  condition: IncidentSpan['condition']
  note: string
  from: Date
}

/** Opens an incident and returns its id. */
export function openIncident({ component, condition, note, from }: NewIncident, now: Date): Promise<string> {
  const id = newId('incident', now)
  return transaction(async (tx) => {
    await tx.run`
      INSERT INTO "Incident" ("id", "component", "condition", "byOperator", "startedAt", "note")
      VALUES (${id}, ${component}, ${condition}, true, ${from}::timestamptz, ${note})`
    return id
  })
}

/** Replaces the text of an incident. Returns false when there is no such incident. */
export function writeIncidentNote(id: string, note: string): Promise<boolean> {
  return changesOne((tx) => tx.run`UPDATE "Incident" SET "note" = ${note} WHERE "id" = ${id}`)
}

/**
 * Ends an incident of the operator at a time after its start. Returns false when no open one has this id: a measured incident ends by itself.
 */
export function closeIncident(id: string, at: Date): Promise<boolean> {
  return changesOne(
    (tx) => tx.run`
      UPDATE "Incident" SET "endedAt" = ${at}::timestamptz
      WHERE "id" = ${id} AND "byOperator" AND "endedAt" IS NULL AND "startedAt" <= ${at}::timestamptz`,
  )
}

async function changesOne(change: (tx: Tx) => Promise<number>): Promise<boolean> {
  return (await transaction(change)) === 1
}

/** Returns the newest incidents. */
export function listIncidents(limit: number): Promise<Incident[]> {
  return db().rows<Incident>`
    SELECT "id", "component", "condition", "byOperator", "startedAt", "endedAt", "note" FROM "Incident"
    ORDER BY "startedAt" DESC, "id" DESC LIMIT ${limit}`
}

const cacheSeconds = 10
const shownIncidents = 50

/** Returns the incidents that were not over at the start of a day (UTC), newest first. */
function readIncidents(first: string): Promise<Incident[]> {
  return db().rows<Incident>`
    SELECT "id", "component", "condition", "byOperator", "startedAt", "endedAt", "note" FROM "Incident"
    WHERE "endedAt" >= ${first}::timestamptz OR "endedAt" IS NULL
    ORDER BY "startedAt" DESC, "id" DESC LIMIT 1000`
}

function readSamples(first: string): Promise<{ day: string; samples: number }[]> {
  return db().rows<{ day: string; samples: number }>`
    SELECT to_char("day", 'YYYY-MM-DD') AS "day", "samples" FROM "StatusDay" WHERE "day" >= ${first}::date ORDER BY "day"`
}

async function readSince(): Promise<string | null> {
  const rows = await db().rows<{ day: string | null }>`
    SELECT to_char("day", 'YYYY-MM-DD') AS "day" FROM "StatusDay" ORDER BY "StatusDay"."day" LIMIT 1`
  return rows[0]?.day ?? null
}

/** Redis is a component where it is used, or was used in these days. */
function componentsIn(incidents: IncidentSpan[]): ComponentName[] {
  const hasRedis = connectRedis() !== null || incidents.some(({ component }) => component === 'redis')
  return ['database', 'outbox', ...(hasRedis ? ['redis' as const] : [])]
}

async function read(days: number, now: Date): Promise<z.input<typeof StatusHistory>> {
  const first = daysAfter(dayOf(now), 1 - days)
  const [incidents, rows, since] = await Promise.all([readIncidents(first), readSamples(first), readSince()])
  const samples = new Map(rows.map((row) => [row.day, row.samples]))
  return {
    since,
    components: componentsIn(incidents).map((name) => componentHistory(name, days, samples, incidents, now)),
    incidents: incidents.slice(0, shownIncidents).map((row) => ({
      incident_id: row.id,
      component: row.component,
      condition: row.condition,
      source: row.byOperator ? 'operator' : 'measured',
      started_at: row.startedAt,
      ended_at: row.endedAt,
      note: row.note,
    })),
    as_of: now,
  }
}

/** Returns the history of the status for the last days, at most ten seconds old. */
export function readStatusHistory(days: number, now: Date): Promise<z.input<typeof StatusHistory>> {
  return cached(`status.history.${days}`, cacheSeconds, now, () => read(days, now))
}
