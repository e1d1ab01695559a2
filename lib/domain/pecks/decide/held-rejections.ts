/**
 * Rejections that can be undone for some seconds. The row of the peck keeps what the rejection will write, and the
 * worker writes it after `rejectAt`. Before that, nothing tells the asker of the rejection; afterwards every read applies it.
 */
import type { Shown } from '@beak/proofs/receipts/outcome-schema'
import { db, type Tx } from '@/lib/db/client'
import { sql } from '@/lib/db/sql'
import { transaction, withCurrentTime } from '@/lib/db/transaction'
import { recordForTarget, recordPeck } from '@/lib/domain/pecks/record'
import {
  changePeck,
  type HeldRejection,
  lockPeck,
  type PeckRow,
  readPecks,
  requireTarget,
} from '@/lib/domain/pecks/rows'
import { type PeckInput, presentAnswer } from '@/lib/domain/pecks/schema'
import {
  type DueRejection,
  dueRejection,
  isDueRejectionAt,
  isFinal,
  leavePending,
  rejectedColumns,
  requirePending,
} from '@/lib/domain/pecks/state'
import { wakeChores } from '@/lib/infrastructure/events/outbox'
import type { CallerContext, Context, DucklingContext, SessionCaller } from '@/lib/kernel/request/context'
import { secondsAfter } from '@/lib/kernel/runtime/clock'
import { describeError, log } from '@/lib/kernel/runtime/log'
import type { ApprovalProof } from '../statements/decision-statement'
import { displayedOf, logDecision } from '../statements/decision-statement'

/** Returns when a rejection takes effect: always before the peck expires. */
function effectiveAt(peck: PeckRow, now: Date, seconds: number): Date {
  const beforeExpiry = peck.expiresAt.getTime() - 1
  return new Date(Math.min(secondsAfter(now, seconds).getTime(), beforeExpiry))
}

/** Keeps the rejection of a locked pending peck until `rejectAt`. A second rejection replaces the first. Checks nothing. */
export function holdRejection(
  tx: Tx,
  { now }: Pick<Context, 'now'>,
  peck: PeckRow,
  { held, seconds }: { held: HeldRejection; seconds: number },
): PeckRow {
  wakeChores(tx)
  return changePeck(tx, peck, { rejectAt: effectiveAt(peck, now, seconds), heldRejection: held })
}

/** Writes the rejection of a locked peck when it has taken effect, with its event. Does nothing otherwise. */
export function finishRejection(tx: Tx, peck: PeckRow, now: Date): void {
  const due = peck.status === 'pending' ? dueRejection(peck, now) : null
  if (due !== null) writeHeld(tx, peck, due, now)
}

/** Writes a rejection after the command that made it has ended. */
function writeHeld(tx: Tx, peck: PeckRow, due: DueRejection, now: Date): void {
  writeRejection(tx, contextOf(peck, due.held, now), peck, due, { isDeferred: true })
}

/** Rejects a locked pending peck, and records the event. Checks nothing. */
export function writeRejection(
  tx: Tx,
  context: CallerContext,
  peck: PeckRow,
  due: DueRejection,
  { isDeferred = false } = {},
): PeckRow {
  const { approval, displayed, decidedBySession, passkeyId } = due.held
  const logged = logDecision(tx, peck, {
    decision: 'reject',
    approval: approval as ApprovalProof | null,
    shown: displayed === null ? displayedOf(peck).shown : (JSON.parse(displayed) as Shown),
    decidedAt: due.rejectAt,
  })
  const rejected = leavePending(tx, context, peck, {
    ...rejectedColumns(due),
    ...logged.columns,
    ...(approval === null ? {} : { approval }),
    displayed,
    decidedBySession,
  })
  recordPeck(tx, context, 'peck.rejected', rejected, {
    isDeferred,
    metadata: { ...logged.metadata, ...(passkeyId === null ? {} : { passkey_id: passkeyId }) },
  })
  return rejected
}

/** Returns the context that the log records: the target, and where the rejection came from. */
function contextOf(peck: PeckRow, { origin, decidedBySession }: HeldRejection, now: Date): CallerContext {
  const caller: SessionCaller = {
    type: 'duckling',
    id: peck.targetDucklingId,
    sessionId: decidedBySession,
    // Only the log reads this caller. It has no rights.
    tier: 'T0',
    authTime: now,
    amr: [],
    passkeyAt: null,
  }
  return { now, caller, ...(origin ?? { ip: null, userAgent: null, requestId: null }) }
}

/** When the next rejection takes effect, with the condition of the index "Peck_held_idx". */
export const nextRejection = sql`
  SELECT "rejectAt" FROM "Peck" WHERE "rejectAt" IS NOT NULL AND "status" = 'pending' ORDER BY "rejectAt" LIMIT 1`

const batchSize = 100

/**
 * Writes every due rejection, each in its own transaction. Called by the worker. A rejection that fails is logged and tried again by the next
 * call, so that no row holds up the others.
 */
export async function finishRejections(now: Date): Promise<void> {
  for (let after = { rejectAt: new Date(0), id: '' }; ; ) {
    // With the condition of the index "Peck_held_idx".
    const due = await db().rows<typeof after>`
      SELECT "id", "rejectAt" FROM "Peck"
      WHERE "rejectAt" IS NOT NULL AND ${isDueRejectionAt(now)} AND ("rejectAt", "id") > (${after.rejectAt}::timestamptz, ${after.id}::text)
      ORDER BY "rejectAt", "id" LIMIT ${batchSize}`
    for (const { id } of due)
      await finishById(id, now).catch((error: unknown) =>
        log().error({ peck: id, error: describeError(error) }, 'a due rejection was not written'),
      )
    const last = due.at(-1)
    if (last === undefined || due.length < batchSize) return
    after = last
  }
}

function finishById(id: string, now: Date): Promise<void> {
  return transaction(async (tx) => {
    const peck = await lockPeck(tx, id)
    if (peck !== null) finishRejection(tx, peck, now)
  })
}

/**
 * Writes the rejections among some locked pending pecks that could still be undone: the target blocks their asker, and so confirms them, or
 * closes the account.
 */
export function finishEarly(tx: Tx, pecks: PeckRow[], now: Date): void {
  for (const peck of pecks) {
    const { rejectAt, heldRejection: held } = peck
    if (rejectAt === null || held === null) continue
    writeHeld(tx, peck, { rejectAt: rejectAt < now ? rejectAt : now, held }, now)
  }
}

/** Writes the rejections of a locked account that can no longer be undone, before its log is closed. The others end with their pecks. */
export async function finishFinal(tx: Tx, targetId: string, now: Date): Promise<void> {
  const held = await readPecks(
    tx,
    sql`SELECT * FROM "Peck" WHERE "targetDucklingId" = ${targetId} AND "status" = 'pending' AND "rejectAt" IS NOT NULL`,
  )
  finishEarly(
    tx,
    held.filter((peck) => isFinal(peck, now)),
    now,
  )
}

/**
 * Takes back a rejection of the caller that has not taken effect yet. Only the target's log records it. Throws `peck_not_found`,
 * `not_the_target`, `peck_not_pending` when it is too late, or `nothing_to_undo`.
 */
export function undoRejection(
  context: DucklingContext<'peck_not_found' | 'not_the_target' | 'peck_not_pending' | 'nothing_to_undo'>,
  peckId: string,
): Promise<PeckInput> {
  return transaction(async (tx) => {
    const peck = requireTarget(context, await lockPeck(tx, peckId))
    const current = withCurrentTime(context)
    requirePending(current, peck)
    if (peck.rejectAt === null) throw context.fail('nothing_to_undo')
    const undone = changePeck(tx, peck, { rejectAt: null, heldRejection: null })
    recordForTarget(tx, current, 'peck.undone', undone)
    return presentAnswer(undone, current.now)
  })
}
