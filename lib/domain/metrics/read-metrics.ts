import type { z } from 'zod'
import { db } from '@/lib/db/client'
import { type CountName, counts } from '@/lib/infrastructure/events/kinds/kind'
import { cached } from '@/lib/kernel/runtime/cached'
import { minute } from '@/lib/kernel/runtime/clock'
import { dayOf, daysAfter } from '@/lib/kernel/text/utc-day'
import { type History, historyOf, type RecordedDay } from './history'
import type { Metrics } from './schema'

/** The version of the public counts. It changes when their meaning changes. */
const galaxyVersion = '1'

/** The worker folds the counts every 2 s, so they are at most 10 s old. */
const cacheSeconds = 5

async function readTotals(now: Date) {
  const rows = await db().metricTotal.findMany()
  const totals = new Map(rows.map(({ name, value }) => [name, Math.max(0, Number(value))]))
  const entries = counts.map((name) => [name, totals.get(name) ?? 0])
  return { ...(Object.fromEntries(entries) as Record<CountName, number>), as_of: now }
}

/** Returns the public counts. `as_of` is the time when this process read them. */
export async function readMetrics(now: Date): Promise<z.input<typeof Metrics>> {
  return {
    ...(await cached('metrics', cacheSeconds, now, () => readTotals(now))),
    galaxy_version: galaxyVersion,
  }
}

/** The records of past days do not change. */
const historyCacheSeconds = 5 * minute

/** Returns the recorded days after a day, oldest first. */
function readDays(after: string): Promise<RecordedDay[]> {
  return db().rows<RecordedDay>`
    SELECT to_char("day", 'YYYY-MM-DD') AS "day", "name", "value"::float8 AS "value" FROM "MetricDay"
    WHERE "day" > ${after}::date ORDER BY "day", "name"`
}

/** Returns the history of the public counts for the last `days` days, and the first recorded day. */
export async function readHistory(days: number, now: Date): Promise<History & { since: string }> {
  const today = dayOf(now)
  const [recorded, since, current] = await Promise.all([
    cached(`history.${days}`, historyCacheSeconds, now, () => readDays(daysAfter(today, -days))),
    cached('history.since', historyCacheSeconds, now, readSince),
    readMetrics(now),
  ])
  return { ...historyOf(recorded, today, current), since: since ?? today }
}

async function readSince(): Promise<string | null> {
  const rows = await db().rows<{ day: string | null }>`
    SELECT to_char(min("day"), 'YYYY-MM-DD') AS "day" FROM "MetricDay" WHERE "name" = ${counts[0]}`
  return rows[0]?.day ?? null
}
