import { pinnedKeys } from './log-keys'
import { checkReceipt, type OutcomeVerdict, type ReceiptVerdict } from './receipts/verify'
import { keysOf, type VerifyOptions } from './token'

/**
 * Verifies the receipt of an approval (`GET /beak/peck/receipt`): that the issuer signed it, exactly this statement, and that the passkey
 * signed the statement too, when there is one. Without a passkey only the issuer confirms the approval (`facts.passkey` is null). A receipt
 * shows what was approved and when. It does not show that the permission is still active. Refuses receipts of version 2, which can be about
 * a rejection: see `verifyOutcome`. Never throws because of the receipt.
 */
export async function verifyReceipt(
  receipt: unknown,
  options: Omit<VerifyOptions, 'now'>,
): Promise<ReceiptVerdict> {
  const verdict = await verifyOutcome(receipt, options)
  if (!verdict.ok) return verdict
  const { facts } = verdict
  if (facts.version === 1) return { ok: true, facts }
  const message =
    'This is a receipt of version 2, which can be about a rejection. Check it with verifyOutcome.'
  return { ok: false, fault: { part: 'file', message } }
}

export interface OutcomeOptions extends Omit<VerifyOptions, 'now'> {
  /**
   * Verifier keys of the transparency log that you trust (`/.well-known/tlog/vkeys`). Get them once and keep them. Without them and
   * `witnesses`, `facts.enrolment.state` is never `proven`.
   */
  vkeys?: readonly string[] | undefined
  /** Verifier keys of witnesses that you trust, which the service does not run. One of them must have cosigned the log in time. */
  witnesses?: readonly string[] | undefined
}

/**
 * Verifies a receipt of any outcome (`GET /beak/peck/outcome`), and receipts of version 1: that the issuer signed it, what the passkey of
 * the person signed, since when the log has the passkey, and the values that the receipt discloses. A valid receipt can be
 * about a rejection: read `facts.outcome`. Never throws because of the receipt. Throws `TypeError` for malformed keys.
 */
export async function verifyOutcome(receipt: unknown, options: OutcomeOptions): Promise<OutcomeVerdict> {
  const { vkeys, witnesses } = options
  const verdict = await checkReceipt(receipt, keysOf(options), {
    ...(vkeys === undefined ? {} : { vkeys: pinnedKeys(vkeys, 'ed25519') }),
    ...(witnesses === undefined ? {} : { witnesses: pinnedKeys(witnesses, 'cosignature') }),
  })
  if (!verdict.ok || verdict.facts.issuer === options.issuer) return verdict
  const message = `The receipt was issued by ${verdict.facts.issuer}, not by ${options.issuer}.`
  return { ok: false, fault: { part: 'jws', message } }
}
