/** Which proof an approval needs besides a session, by the risk of the request (contract F, Approvals). */

import { permitsNothing } from '@beak/decision/free-text'
import { isTestRequest } from '@beak/decision/test-request'
import type { Tx } from '@/lib/db/client'
import { transaction, withCurrentTime } from '@/lib/db/transaction'
import type { AssertionCredential } from '@/lib/domain/passkeys/schema'
import { addApproved } from '@/lib/domain/pecks/asker-history'
import { addGrantToken } from '@/lib/domain/pecks/grant/tokens'
import { recordPeck } from '@/lib/domain/pecks/record'
import { storedLevel } from '@/lib/domain/pecks/risk/read'
import { findPeck, lockPeck, type PeckRow, requireTarget } from '@/lib/domain/pecks/rows'
import type { PeckInput } from '@/lib/domain/pecks/schema'
import { leavePending, requirePending } from '@/lib/domain/pecks/state'
import { hasPasskey, isOwnSignIn, proofFailures, requireProof } from '@/lib/domain/sessions/proof'
import type { DucklingContext, SessionCaller } from '@/lib/kernel/request/context'
import { reaches } from '@/lib/kernel/request/tier'
import { secondsAfter } from '@/lib/kernel/runtime/clock'
import { requireSigner, verifyDecision } from '../statements/approval-proof'
import type { ApprovalProof } from '../statements/decision-statement'
import { type Displayed, displayedOf, logDecision } from '../statements/decision-statement'

export const decisionProofFailures = [
  ...proofFailures,
  'passkey_assertion_needed',
  'decision_page_needed',
  'approver_needed',
] as const
/** What `requireDecisionProof` throws. */
type DecisionProofFailure = (typeof decisionProofFailures)[number]

/** Whether only the approver of the target may approve the peck. */
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
async function requireDecisionProof(
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

/** What `checkApproval` may throw. */
type CheckFailure =
  | 'peck_not_found'
  | 'not_the_target'
  | 'peck_not_pending'
  | 'tier_too_low'
  | DecisionProofFailure
  | 'invalid_request'
type ApprovalContext = DucklingContext<CheckFailure | 'passkey_assertion_invalid'>

export interface Approval {
  peckId: string
  /** Seconds. */
  grantExpiresIn: number | undefined
  passkey: AssertionCredential | undefined
}

/**
 * Approves a peck and creates its grant token, which the asker reads with the peck. A passkey assertion over the peck's statement
 * is verified before the transaction and stored with the peck. Throws `peck_not_found`, `not_the_target`, `peck_not_pending`,
 * `tier_too_low`, `passkey_assertion_invalid`, the failures of `requireDecisionProof`, or `invalid_request` for a grant that is longer than
 * the passkey signed.
 */
export async function approvePeck(context: ApprovalContext, approval: Approval): Promise<PeckInput> {
  const { proof, displayed } = await verifyPasskey(context, approval)
  return transaction(async (tx) => {
    const locked = await lockPeck(tx, approval.peckId)
    const current = withCurrentTime(context)
    const peck = checkApproval(current, locked, approval)
    await requireDecisionProof(tx, current, peck, proof)
    await requireSigner(tx, current, proof)
    return applyApproval(tx, current, peck, { seconds: approval.grantExpiresIn, proof, displayed }).presented
  })
}

/**
 * Returns the proof of the passkey assertion with what the page displayed, or no proof when no assertion was sent. Checks the approval first, so
 * that an approval that fails for another reason does not spend the challenge.
 */
async function verifyPasskey(
  context: ApprovalContext,
  approval: Approval,
): Promise<Pick<Terms, 'proof' | 'displayed'>> {
  if (approval.passkey === undefined) return { proof: null }
  const peck = checkApproval(context, await findPeck(approval.peckId), approval)
  const displayed = displayedOf(peck)
  return { proof: await verifyDecision(context, 'approve', peck, approval.passkey, displayed), displayed }
}

/** Returns the peck when the caller may approve it in this way. */
function checkApproval(
  context: DucklingContext<CheckFailure>,
  found: PeckRow | null,
  approval: Approval,
): PeckRow {
  const { caller } = context
  const peck = requireTarget(context, found)
  requirePending(context, peck)
  if (exceedsStatement(approval, peck)) {
    const message = `must be at most ${peck.grantSeconds}, which is what the passkey signs`
    throw context.fail('invalid_request', { errors: [{ field: 'grant_expires_in', message }] })
  }
  if (peck.scope === 'standing' && !reaches(caller.tier, 'T2'))
    throw context.fail('tier_too_low', { required_tier: 'T2', current_tier: caller.tier })
  return peck
}

/**
 * Whether the grant would last longer than the statement says. A passkey signs that lifetime as the maximum. Without a passkey,
 * the target may choose a longer one.
 */
function exceedsStatement({ grantExpiresIn, passkey }: Approval, { grantSeconds }: PeckRow): boolean {
  return passkey !== undefined && (grantExpiresIn ?? 0) > (grantSeconds ?? Infinity)
}

interface Terms {
  /** Lifetime of the grant. Undefined: the one that was asked for. */
  seconds?: number | undefined
  /** The proof of the passkey assertion. Null: approved without a passkey. */
  proof: ApprovalProof | null
  /** What the page displayed, when it was computed for the proof. It has only columns that never change. */
  displayed?: Displayed | undefined
}

/**
 * Approves a locked pending peck: its grant, the token, the asker's history and the event. The grant of what permits nothing, a test or an
 * answer to free text, has ended already and has no token. Returns the approved peck, also as the API answers it. Checks nothing.
 */
export function applyApproval(
  tx: Tx,
  context: DucklingContext,
  peck: PeckRow,
  terms: Terms,
): { approved: PeckRow; presented: PeckInput } {
  const { caller, now } = context
  const { seconds = peck.grantSeconds, proof, displayed = displayedOf(peck) } = terms
  const logged = logDecision(tx, peck, {
    decision: 'approve',
    approval: proof,
    shown: displayed.shown,
    decidedAt: now,
  })
  const approved = leavePending(tx, context, peck, {
    ...logged.columns,
    status: 'approved',
    grantExpiresAt: permitsNothing(peck.action) ? now : seconds === null ? null : secondsAfter(now, seconds),
    maxUses: peck.scope === 'limited' ? 1 : null,
    approval: proof,
    displayed: displayed.text,
    decidedBySession: caller.sessionId,
  })
  addGrantToken(tx, approved, now)
  if (!isTestRequest(peck.action)) addApproved(tx, approved, now)
  const presented = recordPeck(tx, context, 'peck.approved', approved, {
    metadata: { ...logged.metadata, ...(proof === null ? {} : { passkey_id: proof.passkey_id }) },
  })
  return { approved, presented }
}
