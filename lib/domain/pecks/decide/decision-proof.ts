/** Which proof an approval needs besides a session, by the risk of the request (contract F, Approvals). */
import type { Tx } from '@/lib/db/client'
import { storedLevel } from '@/lib/domain/pecks/risk/read'
import type { PeckRow } from '@/lib/domain/pecks/rows'
import { hasPasskey, isOwnSignIn, proofFailures, requireProof } from '@/lib/domain/sessions/proof'
import type { DucklingContext, SessionCaller } from '@/lib/kernel/context'
import type { ApprovalProof } from '../statements/approval-proof'

export const decisionProofFailures = [
  ...proofFailures,
  'passkey_assertion_needed',
  'decision_page_needed',
  'approver_needed',
] as const
/** What `requireDecisionProof` throws. */
export type DecisionProofFailure = (typeof decisionProofFailures)[number]

/** Whether only the approver of the target may approve the peck (contract C, Approvers). */
const needsApprover = (peck: PeckRow): boolean =>
  peck.targetApprover === 'all' || (peck.targetApprover === 'high' && storedLevel(peck) === 'high')

/** Whether every approval of the peck needs an assertion, whatever its risk is. */
export const alwaysNeedsPasskey = (peck: PeckRow): boolean =>
  peck.scope === 'standing' || peck.targetRequiresPasskey || peck.requireSigned || needsApprover(peck)

/** Whether the session may approve the peck only on the decision page: a device may have been allowed by a person who was tricked. */
export const needsDecisionPage = (caller: SessionCaller, peck: PeckRow): boolean =>
  !isOwnSignIn(caller) && storedLevel(peck) !== 'low'

/**
 * Throws when an approval lacks a proof: `approver_needed` when only the approver may decide, `passkey_assertion_needed`,
 * `decision_page_needed` for a session of the device flow, or `fresh_sign_in_needed` for a high risk in an account without a passkey.
 */
export async function requireDecisionProof(
  tx: Tx,
  context: DucklingContext<DecisionProofFailure>,
  peck: PeckRow,
  proof: ApprovalProof | null,
): Promise<void> {
  const { caller } = context
  if (needsApprover(peck) && proof?.approver === undefined)
    throw context.fail('approver_needed', { required: 'approver' })
  if (proof !== null) return
  const needsPage = needsDecisionPage(caller, peck)
  if (!alwaysNeedsPasskey(peck)) {
    if (!needsPage && storedLevel(peck) !== 'high') return
    if (!(await hasPasskey(tx, caller))) {
      if (needsPage) throw context.fail('decision_page_needed', { required: 'fresh_sign_in' })
      return requireProof(tx, context)
    }
  }
  throw context.fail('passkey_assertion_needed', { required: 'passkey' })
}
