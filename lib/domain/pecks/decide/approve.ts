import type { Tx } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import type { AssertionCredential } from '@/lib/domain/passkeys/schema'
import { addApproved } from '@/lib/domain/pecks/asker-history'
import { addGrantToken } from '@/lib/domain/pecks/grant/tokens'
import { recordPeck } from '@/lib/domain/pecks/record'
import { findPeck, lockPeck, type PeckRow, requireTarget } from '@/lib/domain/pecks/rows'
import { type PeckInput, presentPeck } from '@/lib/domain/pecks/schema'
import { secondsAfter, withCurrentTime } from '@/lib/kernel/clock'
import type { DucklingContext } from '@/lib/kernel/context'
import { isTestRequest } from '@/lib/kernel/test-request'
import { reaches } from '@/lib/kernel/tier'
import { type ApprovalProof, requireSigner, verifyDecision } from '../statements/approval-proof'
import { logDecision } from '../statements/decided-statement'
import { displayedText } from '../statements/decision-statement'
import { type DecisionProofFailure, requireDecisionProof } from './decision-proof'
import { leavePending, requirePending } from './transition'

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
  const proof = await verifyPasskey(context, approval)
  return transaction(async (tx) => {
    const locked = await lockPeck(tx, approval.peckId)
    const current = withCurrentTime(context)
    const peck = checkApproval(current, locked, approval)
    await requireDecisionProof(tx, current, peck, proof)
    await requireSigner(tx, current, proof)
    const approved = applyApproval(tx, current, peck, { seconds: approval.grantExpiresIn, proof })
    return presentPeck(approved, current.now)
  })
}

/**
 * Returns the proof of the passkey assertion, or null when none was sent. Checks the approval first, so that an approval that
 * fails for another reason does not spend the challenge.
 */
async function verifyPasskey(context: ApprovalContext, approval: Approval): Promise<ApprovalProof | null> {
  if (approval.passkey === undefined) return null
  const peck = checkApproval(context, await findPeck(approval.peckId), approval)
  return verifyDecision(context, 'approve', peck, approval.passkey)
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
}

/**
 * Approves a locked pending peck: its grant, the token, the asker's history and the event. The grant of a test request has ended already, and
 * has no token. Checks nothing.
 */
export function applyApproval(tx: Tx, context: DucklingContext, peck: PeckRow, terms: Terms): PeckRow {
  const { caller, now } = context
  const { seconds = peck.grantSeconds, proof } = terms
  const isTest = isTestRequest(peck)
  const displayed = displayedText(peck)
  const logged = logDecision(tx, peck, { decision: 'approve', approval: proof, displayed, decidedAt: now })
  const approved = leavePending(tx, context, peck, {
    ...logged.columns,
    status: 'approved',
    grantExpiresAt: isTest ? now : seconds === null ? null : secondsAfter(now, seconds),
    maxUses: peck.scope === 'limited' ? 1 : null,
    approval: proof,
    displayed,
    decidedBySession: caller.sessionId,
  })
  if (!isTest) {
    addGrantToken(tx, approved, now)
    addApproved(tx, approved, now)
  }
  recordPeck(tx, context, 'peck.approved', approved, {
    metadata: { ...logged.metadata, ...(proof === null ? {} : { passkey_id: proof.passkey_id }) },
  })
  return approved
}
