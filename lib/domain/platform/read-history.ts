import { db } from '@/lib/db/client'
import { counts } from '@/lib/infrastructure/events/kinds'
import { cached } from '@/lib/kernel/cached'
import { minute } from '@/lib/kernel/clock'
import { dayOf, daysAfter, type History, historyOf, type KeptDay } from './history'
import { readMetrics } from './read-metrics'

/** What is kept of the days before today does not change any more. */
const keptSeconds = 5 * minute

/** The kept days after `after`: a stretch of the primary key, some rows a day. */
function readKept(after: string): Promise<KeptDay[]> {
  return db().$queryRaw<KeptDay[]>`
    SELECT to_char("day", 'YYYY-MM-DD') AS "day", "name", "value"::float8 AS "value" FROM "MetricDay"
    WHERE "day" > ${after}::date ORDER BY "day", "name"`
}

/** Returns the public counts over the latest `span` days, and the first recorded day. */
export async function readHistory(span: number, now: Date): Promise<History & { since: string }> {
  const today = dayOf(now)
  const [kept, since, current] = await Promise.all([
    cached(`history.${span}`, keptSeconds, now, () => readKept(daysAfter(today, -span))),
    cached('history.since', keptSeconds, now, readSince),
    readMetrics(now),
  ])
  return { ...historyOf(kept, today, current), since: since ?? today }
}

async function readSince(): Promise<string | null> {
  const rows = await db().$queryRaw<{ day: string | null }[]>`
    SELECT to_char(min("day"), 'YYYY-MM-DD') AS "day" FROM "MetricDay" WHERE "name" = ${counts[0]}`
  return rows[0]?.day ?? null
}
