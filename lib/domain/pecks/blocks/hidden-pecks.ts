/**
 * The waiting pecks that a block hides. For the asker they stay as they are: no event, signal or webhook tells the asker. The statements
 * have the conditions of the index "Peck_limits_idx". An operator and its agents have at most ten pecks that wait for one target.
 */
import { Prisma, type Tx } from '@/lib/db/client'
import { type Sql, sql } from '@/lib/db/sql'
import { beforeCommit } from '@/lib/db/transaction'
import { type PeckRow, readPecks } from '@/lib/domain/pecks/rows'
import { isPendingAt, statusOf } from '@/lib/domain/pecks/state'
import { enqueue } from '@/lib/infrastructure/events/outbox'
import type { Target } from '@/lib/infrastructure/events/record'

const shown = Prisma.raw('"blocked" = false, "hiddenAt" = NULL')

/** Locks the undecided pecks of an operator and its agents to a target, in the order of their ids, as other commands do. */
export function lockPending(tx: Tx, requesterId: string, targetId: string): Promise<PeckRow[]> {
  return readPecks(
    tx,
    sql`SELECT * FROM "Peck" WHERE ${ofPair(requesterId, targetId)} AND "status" = 'pending' ORDER BY "id" FOR NO KEY UPDATE`,
  )
}

/**
 * Hides those of some locked pecks that wait for the target, and takes their notifications away, at the end of the transaction. Returns
 * their ids.
 */
export function hideWaiting(tx: Tx, locked: PeckRow[], now: Date): string[] {
  const waiting = locked.filter(
    (peck) => !peck.blocked && peck.rejectAt === null && statusOf(peck, now) === 'pending',
  )
  const ids = waiting.map(({ id }) => id).sort()
  beforeCommit(
    tx,
    sql`UPDATE "Peck" SET "blocked" = true, "hiddenAt" = ${now}::timestamptz WHERE "id" = ANY(${ids}::text[])`,
  )
  for (const { id, rings } of waiting) if (rings) enqueue(tx, now, 'reach_end', { peck_id: id })
  return ids
}

/** Shows what a block has hidden, as far as it still waits. Returns the ids of the pecks. */
export function showHidden(tx: Tx, requesterId: string, targetId: string, now: Date): Promise<string[]> {
  return changePending(
    tx,
    sql`${ofPair(requesterId, targetId)} AND "blocked" AND "hiddenAt" IS NOT NULL`,
    shown,
    now,
  )
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

const ofPair = (requesterId: string, targetId: string) =>
  sql`"requesterDucklingId" = ${requesterId} AND "targetDucklingId" = ${targetId}`

/** Locks the pecks in the order of their ids, as other commands do, so that two commands cannot wait for each other. */
async function changePending(tx: Tx, condition: Sql, change: Sql, now: Date): Promise<string[]> {
  const changed = await tx.rows<{ id: string }>`
    UPDATE "Peck" SET ${change} WHERE "id" = ANY(ARRAY(
      SELECT "id" FROM "Peck" WHERE ${condition} AND ${isPendingAt(now)}
      ORDER BY "id" FOR NO KEY UPDATE))
    RETURNING "id"`
  return changed.map(({ id }) => id).sort()
}

/** Returns what a block concerns: the duckling and its pecks. The stream of the target reads their ids from the event. */
export function blockTargets(ducklingId: string, peckIds: string[]): Target[] {
  return [{ type: 'duckling', id: ducklingId }, ...peckIds.map((id): Target => ({ type: 'peck', id }))]
}
