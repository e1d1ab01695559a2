/** Snoozed pecks come back by the clock alone, without an event. So a stream sleeps until the next one comes back, and then reads it. */
import { db } from '@/lib/db/client'
import { sql } from '@/lib/db/sql'
import { type PeckRow, readPecks } from '@/lib/domain/pecks/rows'
import { isPendingAt } from '@/lib/domain/pecks/state'

interface NextReturn {
  after: Date
  /** Null when nothing is snoozed. */
  next: Date | null
}

/** Returns when the first peck after that time comes back into the inbox of a duckling. */
export async function nextReturn(ducklingId: string, after: Date): Promise<NextReturn> {
  // The condition of the index "Peck_snoozed_idx".
  const [row] = await db().rows<{ next: Date | null }>`
    SELECT min("snoozedUntil") AS "next" FROM "Peck"
    WHERE "targetDucklingId" = ${ducklingId} AND "snoozedUntil" IS NOT NULL AND "snoozedUntil" > ${after}::timestamptz`
  return { after, next: row?.next ?? null }
}

/** Returns the pecks that came back into the inbox of a duckling between two times and that are still pending. */
export function readReturned(ducklingId: string, after: Date, now: Date): Promise<PeckRow[]> {
  return readPecks(
    db(),
    sql`SELECT * FROM "Peck" WHERE "targetDucklingId" = ${ducklingId} AND NOT "blocked" AND ${isPendingAt(now)}
      AND "snoozedUntil" IS NOT NULL AND "snoozedUntil" > ${after}::timestamptz AND "snoozedUntil" <= ${now}::timestamptz`,
  )
}
