import { db } from '@/lib/db/client'
import { counts } from '@/lib/infrastructure/events/kinds/kind'
import { cached } from '@/lib/kernel/cached'
import { minute } from '@/lib/kernel/clock'
import { dayOf, daysAfter } from '@/lib/kernel/utc-day'
import { type History, historyOf, type RecordedDay } from './history'
import { readMetrics } from './read-metrics'

/** The records of past days do not change. */
const cacheSeconds = 5 * minute

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
    cached(`history.${days}`, cacheSeconds, now, () => readDays(daysAfter(today, -days))),
    cached('history.since', cacheSeconds, now, readSince),
    readMetrics(now),
  ])
  return { ...historyOf(recorded, today, current), since: since ?? today }
}

async function readSince(): Promise<string | null> {
  const rows = await db().rows<{ day: string | null }>`
    SELECT to_char(min("day"), 'YYYY-MM-DD') AS "day" FROM "MetricDay" WHERE "name" = ${counts[0]}`
  return rows[0]?.day ?? null
}
