import { checkReceipt, type ReceiptVerdict } from './receipts/verify'
import { keysOf, type VerifyOptions } from './token'

/**
 * Verifies the receipt of an approval (`GET /beak/peck/receipt`): that the issuer signed it, exactly this statement, and that the passkey
 * signed the statement too, when there is one. Without a passkey only the issuer confirms the approval (`facts.passkey` is null). A receipt
 * shows what was approved and when. It does not show that the permission is still active. Never throws because of the receipt.
 */
export async function verifyReceipt(
  receipt: unknown,
  options: Omit<VerifyOptions, 'now'>,
): Promise<ReceiptVerdict> {
  const verdict = await checkReceipt(receipt, keysOf(options))
  if (!verdict.ok || verdict.facts.issuer === options.issuer) return verdict
  const message = `The receipt was issued by ${verdict.facts.issuer}, not by ${options.issuer}.`
  return { ok: false, fault: { part: 'jws', message } }
}
