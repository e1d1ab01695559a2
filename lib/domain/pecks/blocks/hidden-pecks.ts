/**
 * The waiting pecks that a block hides. For the asker they stay as they are: no event, signal or webhook tells the asker. The statements
 * have the conditions of the index "Peck_limits_idx". An operator and its agents have at most ten pecks that wait for one target.
 */
import { Prisma, type Tx } from '@/lib/db/client'
import { type Sql, sql } from '@/lib/db/sql'
import type { Target } from '@/lib/infrastructure/events/record'

const shown = Prisma.raw('"blocked" = false, "hiddenAt" = NULL')

/** Hides what waits for the target. Returns the ids of the pecks. */
export function hideWaiting(tx: Tx, requesterId: string, targetId: string, now: Date): Promise<string[]> {
  return changeWaiting(tx, sql`NOT "blocked"`, sql`"blocked" = true, "hiddenAt" = ${now}::timestamptz`, {
    requesterId,
    targetId,
    now,
  })
}

/** Shows what a block has hidden, as far as it still waits. Returns the ids of the pecks. */
export function showHidden(tx: Tx, requesterId: string, targetId: string, now: Date): Promise<string[]> {
  return changeWaiting(tx, sql`"blocked" AND "hiddenAt" IS NOT NULL`, shown, { requesterId, targetId, now })
}

/** Shows what all blocks of the target have hidden, as far as it still waits. Returns the ids of the pecks. */
export function showAllHidden(tx: Tx, targetId: string, now: Date): Promise<string[]> {
  return changePending(
    tx,
    sql`"targetDucklingId" = ${targetId} AND "blocked" AND "hiddenAt" IS NOT NULL`,
    shown,
    now,
  )
}

interface Waiting {
  requesterId: string
  targetId: string
  now: Date
}

function changeWaiting(
  tx: Tx,
  condition: Sql,
  change: Sql,
  { requesterId, targetId, now }: Waiting,
): Promise<string[]> {
  const ofPair = sql`"requesterDucklingId" = ${requesterId} AND "targetDucklingId" = ${targetId}`
  return changePending(tx, sql`${ofPair} AND ${condition}`, change, now)
}

/** Locks the pecks in the order of their ids, as other commands do, so that two commands cannot wait for each other. */
async function changePending(tx: Tx, condition: Sql, change: Sql, now: Date): Promise<string[]> {
  const changed = await tx.rows<{ id: string }>`
    UPDATE "Peck" SET ${change} WHERE "id" = ANY(ARRAY(
      SELECT "id" FROM "Peck" WHERE ${condition} AND "status" = 'pending' AND "expiresAt" > ${now}::timestamptz
      ORDER BY "id" FOR NO KEY UPDATE))
    RETURNING "id"`
  return changed.map(({ id }) => id).sort()
}

/** Returns what a block concerns: the duckling and its pecks. The stream of the target reads their ids from the event. */
export function blockTargets(ducklingId: string, peckIds: string[]): Target[] {
  return [{ type: 'duckling', id: ducklingId }, ...peckIds.map((id): Target => ({ type: 'peck', id }))]
}
