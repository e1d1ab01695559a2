/** Which proof an approval needs besides a session, by the risk of the request (contract F, Approvals). */
import type { Tx } from '@/lib/db/client'
import { storedLevel } from '@/lib/domain/pecks/risk/read'
import type { PeckRow } from '@/lib/domain/pecks/rows'
import { hasPasskey, isOwnSignIn, proofFailures, requireProof } from '@/lib/domain/sessions/proof'
import type { DucklingContext, SessionCaller } from '@/lib/kernel/context'

export const decisionProofFailures = [
  ...proofFailures,
  'passkey_assertion_needed',
  'decision_page_needed',
] as const
/** What `requireDecisionProof` throws. */
export type DecisionProofFailure = (typeof decisionProofFailures)[number]

/** Whether every approval of the peck needs an assertion, whatever its risk is. */
export const alwaysNeedsPasskey = ({ scope, targetRequiresPasskey }: PeckRow): boolean =>
  scope === 'standing' || targetRequiresPasskey

/** Whether the session may approve the peck only on the decision page: a device may have been allowed by a person who was tricked. */
export const needsDecisionPage = (caller: SessionCaller, peck: PeckRow): boolean =>
  !isOwnSignIn(caller) && storedLevel(peck) !== 'low'

/**
 * Throws when an approval without a passkey assertion lacks a proof: `passkey_assertion_needed`, `decision_page_needed` for a session of the
 * device flow, or `fresh_sign_in_needed` for a high risk in an account without a passkey.
 */
export async function requireDecisionProof(
  tx: Tx,
  context: DucklingContext<DecisionProofFailure>,
  peck: PeckRow,
): Promise<void> {
  const { caller } = context
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
