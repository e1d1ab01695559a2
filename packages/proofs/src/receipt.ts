import {
  checkWithPolicy,
  logTrustOf,
  type OutcomeVerdict,
  otherIssuer,
  type ReceiptPolicy,
} from './receipts/check-policy'
import { checkReceipt, type ReceiptVerdict } from './receipts/verify'
import { keysOf, type VerifyOptions } from './token'

/**
 * Verifies the receipt of an approval (`GET /beak/peck/receipt`): that the issuer signed it, exactly this statement, and that the passkey
 * signed the statement too, when there is one. Without a passkey only the issuer confirms the approval (`facts.passkey` is null). A receipt
 * shows what was approved and when. It does not show that the permission is still active. Refuses receipts of version 2, which can be about
 * a rejection: see `verifyOutcome`. Never throws because of the receipt.
 *
 * @deprecated `ok` says only that the service signed. Use `verifyOutcome` with a policy, which reads both versions.
 */
export async function verifyReceipt(
  receipt: unknown,
  options: Omit<VerifyOptions, 'now'>,
): Promise<ReceiptVerdict> {
  const verdict = await checkReceipt(receipt, keysOf(options), {}, options)
  if (!verdict.ok) return verdict
  const { facts } = verdict
  if (facts.issuer !== options.issuer) return { ok: false, fault: otherIssuer(facts, options.issuer) }
  if (facts.version === 1) return { ok: true, facts }
  const message =
    'This is a receipt of version 2, which can be about a rejection. Check it with verifyOutcome.'
  return { ok: false, fault: { part: 'file', message } }
}

/** What a verifier expects of a receipt, and whom it trusts. */
export interface OutcomePolicy extends VerifyOptions, ReceiptPolicy {}

/**
 * Returns the policy when receipts can be checked with it. Call it when your program starts, so that a mistake in the policy does not wait
 * for the first receipt. Throws `TypeError` for malformed keys, `proven` without keys of the log and of a witness, a quorum that the
 * witnesses cannot reach, and keys beside a log policy.
 */
export function outcomePolicy(policy: OutcomePolicy): OutcomePolicy {
  logTrustOf(policy)
  return policy
}

/**
 * Verifies a receipt of any outcome (`GET /beak/peck/outcome`), and receipts of version 1, and compares it with a policy. `ok` is true only
 * when every signature is valid, the receipt says what the policy expects, and whom the policy requires has confirmed it. Without `require`
 * it is never true. It does not show that the permission is still active. Never throws because of the receipt. Throws `TypeError` for a
 * policy that `outcomePolicy` refuses.
 */
export function verifyOutcome(receipt: unknown, policy: OutcomePolicy): Promise<OutcomeVerdict> {
  const { issuer, now } = policy
  return checkWithPolicy(receipt, policy, { keys: () => keysOf(policy), issuer, now })
}
