import { db } from '@/lib/db/client'
import { sql } from '@/lib/db/sql'

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
