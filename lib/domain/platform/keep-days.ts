/**
 * The history of the public counts: what each was when a day (UTC) ended. Taken from the totals, so keeping a day costs five
 * rows, however much there is to count. Page views have no total; those of a day are counted once, when it is over.
 */
import { db } from '@/lib/db/client'
import { counts } from '@/lib/infrastructure/events/kinds'
import { day, minute, secondsAfter } from '@/lib/kernel/clock'
import { dayOf, pageViews } from './history'

/** Views on their way at midnight are written by then. */
const settledSeconds = 5 * minute
/** Page views are kept as long (purge.ts); older days cannot be counted any more. */
const viewsKeptSeconds = 90 * day

/** Writes down the counts of the day that `now` is in; the last word before midnight stands. Several workers may do so at once. */
async function keepCounts(now: Date): Promise<void> {
  await db().$executeRaw`
    INSERT INTO "MetricDay" AS d ("day", "name", "value")
    SELECT ${dayOf(now)}::date, n."name", coalesce(t."value", 0)
    FROM unnest(${[...counts]}::text[]) AS n ("name") LEFT JOIN "MetricTotal" t ON t."name" = n."name"
    ORDER BY n."name"
    ON CONFLICT ("day", "name") DO UPDATE SET "value" = EXCLUDED."value" WHERE d."value" <> EXCLUDED."value"`
}

/** Counts the views of the days that are over and not counted yet; mostly there are none, and that costs a look at an index. */
async function keepPageViews(now: Date): Promise<void> {
  const today = dayOf(secondsAfter(now, -settledSeconds))
  const oldest = dayOf(secondsAfter(now, -viewsKeptSeconds))
  await db().$executeRaw`
    WITH uncounted AS (
      SELECT coalesce(
        (SELECT max("day") + 1 FROM "MetricDay" WHERE "name" = ${pageViews}),
        (SELECT (min("createdAt") AT TIME ZONE 'UTC')::date FROM "PageView")
      ) AS "first"
    )
    INSERT INTO "MetricDay" ("day", "name", "value")
    SELECT s."day"::date, ${pageViews}, (
      SELECT count(*) FROM "PageView"
      WHERE "createdAt" >= s."day" AT TIME ZONE 'UTC' AND "createdAt" < (s."day" + interval '1 day') AT TIME ZONE 'UTC'
    )
    FROM uncounted, generate_series(
      greatest("first", ${oldest}::date)::timestamp, ${today}::date - interval '1 day', interval '1 day'
    ) AS s ("day")
    WHERE "first" IS NOT NULL
    ON CONFLICT ("day", "name") DO NOTHING`
}

/** Keeps today's counts, and the page views of the days before. */
export async function keepDays(now: Date): Promise<void> {
  await keepCounts(now)
  await keepPageViews(now)
}
