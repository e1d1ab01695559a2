/**
 * Takes back a decision that was just made. A status never changes again, and the asker may have read the token
 * of an approval. So an approval is revoked, and a new request with the same content and the same end waits in its place.
 */
import { isFreeText } from '@beak/decision/free-text'
import type { Tx } from '@/lib/db/client'
import { sql } from '@/lib/db/sql'
import { beforeCommit, lockName, transaction, withCurrentTime } from '@/lib/db/transaction'
import { removeApproved } from '@/lib/domain/pecks/asker-history'
import { undoRejection } from '@/lib/domain/pecks/decide/held-rejections'
import { pendingKeyOf, preparePeckAgain } from '@/lib/domain/pecks/new-peck'
import { recordPeck } from '@/lib/domain/pecks/record'
import {
  changePeck,
  findPeck,
  insertPeck,
  lockPeck,
  type PeckRow,
  requireTarget,
} from '@/lib/domain/pecks/rows'
import { type PeckInput, presentPeck } from '@/lib/domain/pecks/schema'
import { grantStatusOf } from '@/lib/domain/pecks/state'
import { enqueueRevocation } from '@/lib/domain/tlog/enqueue'
import type { DucklingContext } from '@/lib/kernel/request/context'
import { secondsAfter } from '@/lib/kernel/runtime/clock'
import { findPending } from './request'
import { pairLock } from './request-facts'

type UndoContext = DucklingContext<
  'peck_not_found' | 'not_the_target' | 'peck_not_pending' | 'nothing_to_undo' | 'grant_not_active'
>

/** The pages offer the undo of an approval for ten seconds. The way to the service, or a long list, may take the others. */
const undoableSeconds = 30

/**
 * Takes back a rejection of the caller that has not taken effect, or an approval of the last seconds. An undone approval has `superseded_by` when
 * the request waits again. A second call changes nothing. Throws `peck_not_found`, `not_the_target`, `peck_not_pending`, `nothing_to_undo` for a
 * decision of a rule and after the time, or `grant_not_active` for a permission that was used up or has ended.
 */
export async function undoDecision(context: UndoContext, peckId: string): Promise<PeckInput> {
  const found = requireTarget(context, await findPeck(peckId))
  return found.status === 'approved' ? undoApproval(context, found) : undoRejection(context, peckId)
}

function undoApproval(context: UndoContext, found: PeckRow): Promise<PeckInput> {
  return transaction(async (tx) => {
    await lockSides(tx, found)
    const peck = requireTarget(context, await lockPeck(tx, found.id))
    const current = withCurrentTime(context)
    const { now } = current
    if (peck.undone) return presentPeck(peck, now)
    requireUndoable(current, peck)
    const successor = await bringBack(tx, current, peck)
    const revoked = changePeck(tx, peck, {
      grantRevokedAt: now,
      undone: true,
      supersededBy: successor?.id ?? null,
    })
    removeApproved(tx, revoked)
    recordPeck(tx, current, 'peck.revoked', revoked, {
      cause: 'undone',
      metadata: {
        ...(successor === null ? {} : { superseded_by: successor.id }),
        ...enqueueRevocation(tx, revoked, now),
      },
      // The streams of both sides tell of both.
      ...(successor === null ? {} : { others: [successor.id], counts: { completed_pecks: -1 } }),
    })
    const { superseded_by: _, ...presented } = presentPeck(revoked, now)
    // The target does not see the request of somebody whom the target blocks.
    return successor === null || successor.blocked ? presented : { ...presented, superseded_by: successor.id }
  })
}

/** Locks what a request locks, in the same order: so neither side ends, and no block begins, while the request is asked again. */
async function lockSides(
  tx: Tx,
  { requesterAgentId, requesterDucklingId, targetDucklingId }: PeckRow,
): Promise<void> {
  if (requesterAgentId !== null)
    await tx.run`SELECT 1 FROM "Agent" WHERE "id" = ${requesterAgentId} FOR SHARE`
  await lockName(tx, pairLock(requesterDucklingId, targetDucklingId))
  const ids = [requesterDucklingId, targetDucklingId]
  await tx.run`SELECT 1 FROM "Duckling" WHERE "id" = ANY(${ids}::text[]) ORDER BY "id" FOR SHARE`
}

/** Throws unless the permission is active, or there was none to give, and a person gave it in the last seconds. The peck is locked, so no use comes in between. */
function requireUndoable({ now, fail }: UndoContext, peck: PeckRow): void {
  const status = grantStatusOf(peck, now)
  // An answer to free text gave no permission that could end.
  const isAnswer = isFreeText(peck.action) && status === 'expired'
  if (status !== 'active' && !isAnswer)
    throw fail('grant_not_active', { current_status: status ?? peck.status })
  const isRecent = peck.decidedAt !== null && secondsAfter(peck.decidedAt, undoableSeconds) > now
  if (peck.ruleId !== null || !isRecent) throw fail('nothing_to_undo')
}

/**
 * Returns the request that waits in place of an undone approval, or null: what was used is not asked again, and nothing is asked after its end. Has
 * the asker asked for the same again meanwhile, that request takes its place. No rule answers, no limit of the asker counts it, and nothing
 * announces it, because the target has just seen it. A mail that was still to come is about the new request.
 */
async function bringBack(tx: Tx, context: UndoContext, peck: PeckRow): Promise<PeckRow | null> {
  const { now } = context
  if (peck.uses > 0 || peck.expiresAt <= now) return null
  const [facts] = await tx.rows<{
    identicalId: string | null
    isBlocked: boolean
    askedBySession: string | null
  }>`
    SELECT p."askedBySession", (SELECT i."id" FROM "Peck" i WHERE i."pendingKey" = ${pendingKeyOf(peck)}) AS "identicalId",
      EXISTS (SELECT 1 FROM "PeckBlock" b WHERE b."ducklingId" = p."targetDucklingId"
        AND b."blockedDucklingId" = p."requesterDucklingId") AS "isBlocked"
    FROM "Peck" p WHERE p."id" = ${peck.id}`
  if (facts === undefined) throw new Error(`no peck ${peck.id}`)
  const pending = await findPending(tx, context, facts.identicalId)
  if (pending !== null) return pending
  const again = insertPeck(tx, preparePeckAgain(peck, facts, now))
  beforeCommit(
    tx,
    // Only the reminder is left of a mail about high risks, because the target has seen the request. Its outbox row names the peck before.
    sql`UPDATE "PeckMail" SET "peckId" = ${again.id}, "stage" = CASE WHEN "stage" = 'alert' THEN 'announced' ELSE "stage" END
      WHERE "peckId" = ${peck.id} AND "mailId" IS NULL AND ("stage" <> 'alert' OR "remindAt" IS NOT NULL)`,
  )
  return again
}
