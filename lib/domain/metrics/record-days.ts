/**
 * Records the history of the public counts: the value of each at the end of a day (UTC). The values come from the totals, so a day
 * needs five rows. Page views have no total. They are counted once, after the end of the day.
 */
import { db } from '@/lib/db/client'
import { counts } from '@/lib/infrastructure/events/kinds/kind'
import { day, minute, secondsAfter } from '@/lib/kernel/clock'
import { dayOf } from '@/lib/kernel/utc-day'
import { pageViews } from './history'

/** Page views that arrive at midnight are stored by then. */
const settledSeconds = 5 * minute
/** Page views are deleted after this time (purge.ts), so older days cannot be counted any more. */
const viewRetentionSeconds = 90 * day

/** Records the counts of the current day. The last write before midnight remains. Several workers may do so at the same time. */
async function recordCounts(now: Date): Promise<void> {
  await db().run`
    INSERT INTO "MetricDay" AS d ("day", "name", "value")
    SELECT ${dayOf(now)}::date, n."name", coalesce(t."value", 0)
    FROM unnest(${[...counts]}::text[]) AS n ("name") LEFT JOIN "MetricTotal" t ON t."name" = n."name"
    ORDER BY n."name"
    ON CONFLICT ("day", "name") DO UPDATE SET "value" = EXCLUDED."value" WHERE d."value" <> EXCLUDED."value"`
}

/** Counts the views of past days that are not counted yet. Usually there is no such day, which costs one index lookup. */
async function recordPageViews(now: Date): Promise<void> {
  const today = dayOf(secondsAfter(now, -settledSeconds))
  const oldest = dayOf(secondsAfter(now, -viewRetentionSeconds))
  await db().run`
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

/** Records today's counts and the page views of past days. Called by the worker. */
export async function recordDays(now: Date): Promise<void> {
  await recordCounts(now)
  await recordPageViews(now)
}
