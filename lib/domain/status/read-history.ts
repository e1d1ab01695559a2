import type { z } from 'zod'
import { db } from '@/lib/db/client'
import { connectRedis } from '@/lib/db/redis'
import { cached } from '@/lib/kernel/cached'
import { dayOf, daysAfter } from '@/lib/kernel/utc-day'
import { componentHistory, type IncidentSpan } from './history'
import type { Incident } from './incidents'
import type { ComponentName, StatusHistory } from './schema'

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
