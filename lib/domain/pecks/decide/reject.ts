import type { Tx } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import type { AssertionCredential } from '@/lib/domain/passkeys/schema'
import { recordPeck } from '@/lib/domain/pecks/record'
import { findPeck, lockPeck, type PeckRow, requireTarget } from '@/lib/domain/pecks/rows'
import { type PeckInput, presentPeck } from '@/lib/domain/pecks/schema'
import type { DucklingContext } from '@/lib/kernel/context'
import { type ApprovalProof, verifyDecision } from '../statements/approval-proof'
import { displayedText } from '../statements/decision-statement'
import { leavePending, requirePending } from './transition'

type CheckFailure = 'peck_not_found' | 'not_the_target' | 'peck_not_pending'
type RejectionContext = DucklingContext<CheckFailure | 'passkey_assertion_invalid'>

/**
 * Rejects a peck with a reason that the asker can read. A passkey assertion over the statement of the rejection is verified before the
 * transaction and stored with the peck. Throws `peck_not_found`, `not_the_target`, `peck_not_pending` or `passkey_assertion_invalid`.
 */
export async function rejectPeck(
  context: RejectionContext,
  peckId: string,
  reason: string,
  passkey?: AssertionCredential,
): Promise<PeckInput> {
  const proof = passkey === undefined ? null : await verifyPasskey(context, peckId, passkey)
  return transaction(async (tx) => {
    const peck = requireTarget(context, await lockPeck(tx, peckId))
    requirePending(context, peck)
    const rejected = applyRejection(tx, context, peck, { reason, proof })
    return presentPeck(rejected, context.now)
  })
}

/** Checks the peck first, so that a rejection that fails for another reason does not spend the challenge. */
async function verifyPasskey(
  context: RejectionContext,
  peckId: string,
  passkey: AssertionCredential,
): Promise<ApprovalProof> {
  const peck: PeckRow = requireTarget(context, await findPeck(peckId))
  requirePending(context, peck)
  return verifyDecision(context, 'reject', peck, passkey)
}

interface Terms {
  reason: string
  /** The proof of the passkey assertion. Null: rejected without a passkey. */
  proof: ApprovalProof | null
}

/** Rejects a locked pending peck, and records the event. Checks nothing. */
export function applyRejection(
  tx: Tx,
  context: DucklingContext,
  peck: PeckRow,
  { reason, proof }: Terms,
): PeckRow {
  const rejected = leavePending(tx, context, peck, {
    status: 'rejected',
    reason,
    ...(proof === null ? {} : { approval: proof }),
    displayed: displayedText(peck),
    decidedBySession: context.caller.sessionId,
  })
  recordPeck(tx, context, 'peck.rejected', rejected, {
    metadata: proof === null ? {} : { passkey_id: proof.passkey_id },
  })
  return rejected
}
