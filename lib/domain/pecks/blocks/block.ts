/**
 * The waiting pecks that a block hides. For the asker they stay as they are: no event, signal or webhook tells the asker. The statements
 * have the conditions of the index "Peck_limits_idx". An operator and its agents have at most ten pecks that wait for one target.
 */

import { Prisma, type Tx } from '@/lib/db/client'
import { type Sql, sql } from '@/lib/db/sql'
import { beforeCommit, lockName, transaction, withCurrentTime } from '@/lib/db/transaction'
import { resolveAsker } from '@/lib/domain/handles/holder'
import { type BlockAnswerInput, presentBlock } from '@/lib/domain/pecks/blocks/schema'
import { finishEarly } from '@/lib/domain/pecks/decide/held-rejections'
import { pairLock } from '@/lib/domain/pecks/request/request-facts'
import { type PeckRow, readPecks } from '@/lib/domain/pecks/rows'
import { isPendingAt, statusOf } from '@/lib/domain/pecks/state'
import { endRules } from '@/lib/domain/rules/end-rules'
import { recordSettingsChange } from '@/lib/domain/sessions/announce-change'
import { type ProofFailure, requireProof } from '@/lib/domain/sessions/proof'
import { enqueue } from '@/lib/infrastructure/events/outbox'
import { record, type Target } from '@/lib/infrastructure/events/record'
import { signal } from '@/lib/infrastructure/events/signals'
import { m } from '@/lib/kernel/messages'
import type { DucklingContext, Fails } from '@/lib/kernel/request/context'

const shown = Prisma.raw('"blocked" = false, "hiddenAt" = NULL')

/** Locks the undecided pecks of an operator and its agents to a target, in the order of their ids, as other commands do. */
function lockPending(tx: Tx, requesterId: string, targetId: string): Promise<PeckRow[]> {
  return readPecks(
    tx,
    sql`SELECT * FROM "Peck" WHERE ${ofPair(requesterId, targetId)} AND "status" = 'pending' ORDER BY "id" FOR NO KEY UPDATE`,
  )
}

/**
 * Hides those of some locked pecks that wait for the target, and takes their notifications away, at the end of the transaction. Returns
 * their ids.
 */
function hideWaiting(tx: Tx, locked: PeckRow[], now: Date): string[] {
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
function blockTargets(ducklingId: string, peckIds: string[]): Target[] {
  return [{ type: 'duckling', id: ducklingId }, ...peckIds.map((id): Target => ({ type: 'peck', id }))]
}

/**
 * Hides the waiting and all new pecks of a duckling and its agents from the caller. The blocked duckling is not told: its pecks stay
 * pending for the duckling until they expire. Blocking twice changes nothing. `ref`: an id or a handle. Throws `duckling_not_found`, or
 * `invalid_request` for the caller's own id.
 */
export async function blockDuckling(
  context: DucklingContext<'duckling_not_found' | 'invalid_request'>,
  ref: string,
): Promise<BlockAnswerInput> {
  const { caller, now } = context
  const ducklingId = await resolveAsker(context, ref, 'duckling_not_found')
  if (ducklingId === caller.id)
    throw context.fail('invalid_request', {
      errors: [{ field: 'duckling_id', message: m.field_must_not_be_your_own() }],
    })
  return transaction(async (tx) => {
    // A request that runs at the same time ends before, and is hidden too, or it begins after, and finds the block.
    await lockName(tx, pairLock(ducklingId, caller.id))
    await checkExists(tx, context, ducklingId)
    const { count } = await tx.peckBlock.createMany({
      data: {
        ducklingId: caller.id,
        blockedDucklingId: ducklingId,
        createdAt: now,
        sessionId: caller.sessionId,
      },
      skipDuplicates: true,
    })
    if (count !== 1) return { ...presentBlock(ducklingId, true), hidden_pecks: 0 }
    await recordSettingsChange(tx, context)
    await endRules(tx, context, {
      where: sql`"ducklingId" = ${caller.id} AND ("subjectId" = ${ducklingId}
        OR "subjectId" IN (SELECT "id" FROM "Agent" WHERE "ducklingId" = ${ducklingId}))`,
      reason: 'asker_blocked',
    })
    const pending = await lockPending(tx, ducklingId, caller.id)
    const current = withCurrentTime(context)
    finishEarly(tx, pending, current.now)
    const hidden = hideWaiting(tx, pending, current.now)
    record(tx, current, 'peck.blocked', { targets: blockTargets(ducklingId, hidden) })
    signal(tx, caller.id)
    return { ...presentBlock(ducklingId, true), hidden_pecks: hidden.length }
  })
}

async function checkExists(tx: Tx, context: Fails<'duckling_not_found'>, id: string): Promise<void> {
  const found = await tx.duckling.findFirst({ where: { id, deletedAt: null }, select: { id: true } })
  if (found === null) throw context.fail('duckling_not_found')
}

/**
 * Shows new pecks of a blocked duckling to the caller again, and those that the block had hidden and that are still pending. Pecks that
 * were sent during the block stay hidden. Throws `duckling_not_blocked`, or the failures of `requireProof` for a block of another session.
 */
export async function unblockDuckling(
  context: DucklingContext<ProofFailure | 'duckling_not_blocked'>,
  ref: string,
): Promise<BlockAnswerInput> {
  const { caller, now } = context
  const ducklingId = await resolveAsker(context, ref, 'duckling_not_blocked')
  return transaction(async (tx) => {
    await lockName(tx, pairLock(ducklingId, caller.id))
    const where = { ducklingId: caller.id, blockedDucklingId: ducklingId }
    const block = await tx.peckBlock.findFirst({ where, select: { sessionId: true } })
    if (block === null) throw context.fail('duckling_not_blocked')
    if (block.sessionId !== caller.sessionId) await requireProof(tx, context)
    const { count } = await tx.peckBlock.deleteMany({ where })
    if (count !== 1) throw context.fail('duckling_not_blocked')
    const shown = await showHidden(tx, ducklingId, caller.id, now)
    record(tx, context, 'peck.unblocked', { targets: blockTargets(ducklingId, shown) })
    signal(tx, caller.id)
    return { ...presentBlock(ducklingId, false), restored_pecks: shown.length }
  })
}
