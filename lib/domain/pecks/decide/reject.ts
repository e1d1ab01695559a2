import type { Tx } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import type { AssertionCredential } from '@/lib/domain/passkeys/schema'
import { findPeck, lockPeck, type PeckRow, requireTarget } from '@/lib/domain/pecks/rows'
import { type PeckInput, presentAnswer } from '@/lib/domain/pecks/schema'
import type { HeldRejection } from '@/lib/domain/pecks/state'
import { requireOpenLog } from '@/lib/infrastructure/events/record'
import { withCurrentTime } from '@/lib/kernel/clock'
import type { DucklingContext } from '@/lib/kernel/context'
import type { WouldApprove } from '@/lib/kernel/would-approve'
import { type ApprovalProof, requireSigner, verifyDecision } from '../statements/approval-proof'
import { displayedText } from '../statements/decision-statement'
import { holdRejection, writeRejection } from './held-rejections'
import { requirePending } from './transition'
import { termsErrors } from './would-approve'

type CheckFailure = 'peck_not_found' | 'not_the_target' | 'peck_not_pending' | 'invalid_request'
type RejectionContext = DucklingContext<CheckFailure | 'passkey_assertion_invalid'>

/** What a target may say with a rejection besides the reason. */
interface RejectionOptions {
  wouldApprove?: WouldApprove | undefined
  /** Whether something about the request was unclear. */
  isUnclear?: boolean
  /** For so many seconds the rejection can be undone. 0: it takes effect at once. */
  undoSeconds?: number
  passkey?: AssertionCredential | undefined
}

/**
 * Rejects a peck with a reason that the asker can read. A passkey assertion over the statement of the rejection is verified before the
 * transaction and stored with the peck. Throws `peck_not_found`, `not_the_target`, `peck_not_pending`, `passkey_assertion_invalid`, or
 * `invalid_request` when the target would approve more than was asked.
 */
export async function rejectPeck(
  context: RejectionContext,
  peckId: string,
  reason: string,
  options: RejectionOptions = {},
): Promise<PeckInput> {
  const proof = await verifyRejection(context, peckId, options)
  return transaction(async (tx) => {
    const locked = await lockPeck(tx, peckId)
    const current = withCurrentTime(context)
    const peck = checkRejection(current, locked, options)
    await requireSigner(tx, current, proof)
    if ((options.undoSeconds ?? 0) > 0) requireOpenLog(tx, current)
    return presentAnswer(applyRejection(tx, current, peck, { reason, proof, ...options }), current.now)
  })
}

/** Checks the rejection first, so that one that fails for another reason does not spend the challenge. */
async function verifyRejection(
  context: RejectionContext,
  peckId: string,
  options: RejectionOptions,
): Promise<ApprovalProof | null> {
  if (options.passkey === undefined) return null
  const peck = checkRejection(context, await findPeck(peckId), options)
  return verifyDecision(context, 'reject', peck, options.passkey)
}

/** Returns the peck when the caller may reject it in this way. */
function checkRejection(
  context: DucklingContext<CheckFailure>,
  found: PeckRow | null,
  { wouldApprove }: RejectionOptions,
): PeckRow {
  const peck = requireTarget(context, found)
  requirePending(context, peck)
  const errors = wouldApprove === undefined ? [] : termsErrors(peck, wouldApprove)
  if (errors.length > 0) throw context.fail('invalid_request', { errors })
  return peck
}

interface Terms extends RejectionOptions {
  reason: string
  /** The proof of the passkey assertion. Null: rejected without a passkey. */
  proof: ApprovalProof | null
}

/** Rejects a locked pending peck, and records the event; or keeps the rejection while it can be undone. Checks nothing. */
export function applyRejection(
  tx: Tx,
  context: DucklingContext,
  peck: PeckRow,
  { reason, wouldApprove, isUnclear = false, undoSeconds = 0, proof }: Terms,
): PeckRow {
  const { caller, ip, userAgent, requestId } = context
  const held: HeldRejection = {
    reason,
    wouldApprove: wouldApprove ?? null,
    unclear: isUnclear,
    approval: proof,
    displayed: displayedText(peck),
    decidedBySession: caller.sessionId,
    passkeyId: proof?.passkey_id ?? null,
    origin: { ip, userAgent, requestId },
  }
  return undoSeconds === 0
    ? writeRejection(tx, context, peck, { rejectAt: context.now, held })
    : holdRejection(tx, context, peck, { held, seconds: undoSeconds })
}
