/**
 * Removes the approver of an account a day after its owner has asked for that, because a thief of a session would remove it first. Until then
 * any session of the account can keep it.
 */
import { db, type Tx } from '@/lib/db/client'
import type { Approver } from '@/lib/db/generated/client'
import { type Sql, sql } from '@/lib/db/sql'
import { transaction } from '@/lib/db/transaction'
import { enqueueText } from '@/lib/domain/codes/texts'
import { announceChange } from '@/lib/domain/sessions/announce-change'
import { lockCaller, lockDuckling } from '@/lib/domain/sessions/proof'
import { enqueuePasskey } from '@/lib/domain/tlog/enqueue'
import { enqueueNotice } from '@/lib/infrastructure/events/outbox'
import { type Actor, record, systemActor } from '@/lib/infrastructure/events/record'
import { type Context, type DucklingContext, systemContext } from '@/lib/kernel/request/context'
import { day, secondsAfter } from '@/lib/kernel/runtime/clock'
import { type ApproverInput, presentApprover } from './schema'

const batch = 100

type RemovalContext = DucklingContext<'approver_not_found' | 'session_invalid'>

/**
 * Asks for the removal, which happens 24 hours later, and tells the owner on every channel. A second call changes nothing. The endpoint has asked
 * for the proof. Throws `approver_not_found` or `session_invalid`.
 */
export function requestRemoval(context: RemovalContext): Promise<ApproverInput> {
  return transaction(async (tx) => {
    const found = await lockOwn(tx, context)
    if (found.removesAt !== null) return presentApprover(found)
    const removesAt = secondsAfter(context.now, day)
    const row = await tx.approver.update({ where: { id: found.id }, data: { removesAt } })
    record(tx, context, 'approver.removal_requested', {
      metadata: { origin: row.origin, removes_at: removesAt.toISOString() },
      data: { duckling_id: row.ducklingId, origin: row.origin, removes_at: removesAt },
    })
    announceChange(tx, context, 'approver_removal_requested', row.origin)
    await enqueueText(tx, context, context.caller.id, 'approver_removal', removesAt)
    return presentApprover(row)
  })
}

/** Keeps the approver whose removal was asked for. A second call changes nothing. Throws `approver_not_found` or `session_invalid`. */
export function keepApprover(context: RemovalContext): Promise<ApproverInput> {
  return transaction(async (tx) => {
    const found = await lockOwn(tx, context)
    if (found.removesAt === null) return presentApprover(found)
    const row = await tx.approver.update({ where: { id: found.id }, data: { removesAt: null } })
    record(tx, context, 'approver.kept', { metadata: { origin: row.origin } })
    announceChange(tx, context, 'approver_kept', row.origin)
    return presentApprover(row)
  })
}

async function lockOwn(tx: Tx, context: RemovalContext): Promise<Approver> {
  await lockCaller(tx, context)
  const found = await tx.approver.findUnique({ where: { ducklingId: context.caller.id } })
  if (found === null) throw context.fail('approver_not_found')
  return found
}

/** When the next day is over. */
export const nextRemoval = sql`SELECT "removesAt" FROM "Approver" WHERE "removesAt" IS NOT NULL ORDER BY "removesAt" LIMIT 1`

/** Removes every approver whose day is over, in one transaction for each account. Called by the worker. */
export async function finishRemovals(now: Date): Promise<void> {
  for (;;) {
    const due = await db().approver.findMany({
      where: { removesAt: { lte: now } },
      orderBy: { removesAt: 'asc' },
      take: batch,
      select: { ducklingId: true },
    })
    for (const { ducklingId } of due)
      await transaction(async (tx) => {
        await lockDuckling(tx, ducklingId)
        const where = sql`"removesAt" <= ${now}::timestamptz`
        const removed = await deleteApprover(tx, systemContext(now), {
          ducklingId,
          where,
          actor: systemActor,
        })
        if (removed !== null)
          enqueueNotice(tx, now, ducklingId, 'approver_removed', { at: now.toISOString() })
      })
    if (due.length < batch) return
  }
}

interface Deletion {
  ducklingId: string
  /** An SQL condition on "Approver". Default: none. */
  where?: Sql
  actor?: Actor
}

/** Deletes the approver of an account, with an entry in both logs. Returns it, or null when there is none that fits. */
export async function deleteApprover(
  tx: Tx,
  context: Context,
  { ducklingId, where = sql`true`, actor }: Deletion,
): Promise<Pick<Approver, 'id' | 'origin'> | null> {
  const [removed] = await tx.rows<
    Pick<Approver, 'id' | 'ducklingId' | 'origin' | 'credentialId' | 'publicKey'>
  >`
    DELETE FROM "Approver" WHERE "ducklingId" = ${ducklingId} AND (${where})
    RETURNING "id", "ducklingId", "origin", "credentialId", "publicKey"`
  if (removed === undefined) return null
  await tx.duckling.update({ where: { id: ducklingId }, data: { approverCovers: null } })
  record(tx, context, 'approver.removed', {
    concerning: [ducklingId],
    ...(actor === undefined ? {} : { actor }),
    metadata: { origin: removed.origin, log_digest: enqueuePasskey(tx, 'passkey_removed', removed) },
  })
  return removed
}
