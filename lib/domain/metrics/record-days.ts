/**
 * Records the history of the public counts: the value of each at the end of a day (UTC). The values come from the totals, so a day
 * needs five rows. Page views have no total. They are counted once, after the end of the day.
 */

import { db } from '@/lib/db/client'
import { sql } from '@/lib/db/sql'
import { transaction } from '@/lib/db/transaction'
import { counts } from '@/lib/infrastructure/events/kinds/kind'
import type { AnonymousContext } from '@/lib/kernel/request/context'
import { day, minute, secondsAfter } from '@/lib/kernel/runtime/clock'
import { dayOf } from '@/lib/kernel/text/utc-day'
import { pageViews } from './history'

/** Page views that arrive at midnight are stored by then. */
const storingSeconds = 5 * minute
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
  const today = dayOf(secondsAfter(now, -storingSeconds))
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

const batch = 5_000

/** A time in the past while there is a change to add. */
export const nextFold = sql`SELECT to_timestamp(0) FROM "MetricDelta" ORDER BY "id" LIMIT 1`

/**
 * Adds the changes of the public counts to their totals, so that a reader needs only five rows. Each batch is one statement that
 * deletes the changes and adds them, so each change is counted exactly once. Workers that run at the same time take different changes.
 */
export async function foldMetrics(): Promise<void> {
  let taken = batch
  while (taken === batch) {
    const rows = await db().rows<{ taken: number }>`
      WITH taken AS (
        DELETE FROM "MetricDelta" WHERE "id" IN (
          SELECT "id" FROM "MetricDelta" ORDER BY "id" LIMIT ${batch} FOR UPDATE SKIP LOCKED
        )
        RETURNING "name", "delta"
      ), folded AS (
        INSERT INTO "MetricTotal" AS t ("name", "value")
        SELECT "name", sum("delta") FROM taken GROUP BY "name" ORDER BY "name"
        ON CONFLICT ("name") DO UPDATE SET "value" = t."value" + EXCLUDED."value"
      )
      SELECT count(*)::int AS "taken" FROM taken`
    taken = rows[0]?.taken ?? 0
  }
}

/**
 * Removes query string and fragment, which may contain keys and tokens (security bar, D3), and the user name and password of a URL.
 */
function withoutSecrets(address: string): string {
  const [place = ''] = address.split(/[?#]/)
  return place.replace(/^([a-z][a-z0-9+.-]*:)?\/\/[^/]*@/i, '$1//')
}

/** Records a page view with page and referrer only, without the person and the address of the client. */
export async function recordPageView(
  context: AnonymousContext,
  page: string,
  referrer: string | undefined,
): Promise<void> {
  const from = withoutSecrets(referrer ?? '')
  await transaction((tx) =>
    tx.pageView.create({
      data: {
        page: withoutSecrets(page) || '/',
        referrer: from === '' ? null : from,
        createdAt: context.now,
      },
    }),
  )
}
