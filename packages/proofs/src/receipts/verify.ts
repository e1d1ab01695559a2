/**
 * The offline check of a receipt (contract D1). Anybody can check without the service what exactly was asked and decided, and that
 * nothing was changed. Reads every version. Uses only Web Crypto, so that browsers run the same code.
 */
import * as z from 'zod'
import { hex, sha256 } from '../bytes'
import type { KeySet, KeySource } from '../keys'
import type { TestOptions } from '../test-mark'
import { checkAssertion } from './assertion'
import { Instant, secondsMax } from './decision-statement'
import type { LogTrust } from './enrolment'
import { canBeReceipt } from './limits'
import { type ReceiptFault, Refusal, read, readFile } from './refusal'
import { passkeyText, ReceiptFile, Statement } from './schema'
import { checkKeys, openSignature } from './service-signature'
import { type ApprovalStatement, statementText } from './statement-text'
import { checkOutcome, type OutcomeFacts } from './verify-outcome'

/** The content of a valid receipt of version 1, which is always about an approval. */
export interface ReceiptFacts {
  version: 1
  statement: ApprovalStatement
  /** ISO 8601. */
  decidedAt: string
  /** When the permission ends. Null: when it is revoked. */
  grantExpiresAt: string | null
  /** When the service signed the receipt. ISO 8601. */
  signedAt: string
  issuer: string
  kid: string
  passkey: { credentialId: string; verifiedUser: true } | null
  /** Whether the caller passed trusted keys. Otherwise only the keys in the file were used. */
  isTrustedKey: boolean
}

/** The result for a receipt of version 1. */
export type ReceiptVerdict = { ok: true; facts: ReceiptFacts } | { ok: false; fault: ReceiptFault }
/** Whether a receipt of any version is consistent, without a policy. It can be about a rejection, and may be the word of the service only. */
export type ReceiptCheck =
  | { ok: true; facts: ReceiptFacts | OutcomeFacts }
  | { ok: false; fault: ReceiptFault }

const Claims = z.strictObject({
  iss: z.string(),
  aud: z.string(),
  sub: z.string(),
  iat: z.int().min(0).max(secondsMax),
  decision: z.literal('approved'),
  decided_at: Instant,
  grant_expires_at: Instant.nullable(),
  statement: Statement,
  approval: z.string().nullable(),
  test: z.literal(true).optional(),
})

/**
 * Verifies a receipt. Never throws because of the content of the file, only when Web Crypto lacks an algorithm. Makes no requests.
 * `trusted` are the keys of the service. Without them, the result does not say who made the receipt, only whether it is consistent.
 * `log` are the keys of the transparency log and of its witnesses: without both, the enrolment of a passkey is not proven. It can also have a
 * store, with which checkpoints are compared. Refuses receipts of a test service without `allowTest`.
 */
export async function checkReceipt(
  file: unknown,
  trusted?: KeySet | KeySource,
  log: LogTrust = {},
  options: TestOptions = {},
): Promise<ReceiptCheck> {
  try {
    if (!canBeReceipt(file))
      throw new Refusal(
        'file',
        'This is not a receipt: it is too large, not Unicode, or has a number that JSON does not keep.',
      )
    const version = (file as { version?: unknown } | null)?.version
    const isOutcome = version === 2 || version === 3
    return {
      ok: true,
      facts: await (isOutcome
        ? checkOutcome(file, trusted, log, options)
        : checkApproval(file, trusted, options)),
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { part, message, fork, reason } = error
    const more = { ...(fork === undefined ? {} : { fork }), ...(reason === undefined ? {} : { reason }) }
    return { ok: false, fault: { part, message, ...more } }
  }
}

/** Verifies a receipt of version 1. Throws `Refusal`. */
async function checkApproval(
  file: unknown,
  trusted: KeySet | KeySource | undefined,
  options: TestOptions,
): Promise<ReceiptFacts> {
  const receipt = readFile(ReceiptFile, file)
  await checkKeys(receipt)
  const { claims: signed, kid } = await openSignature(receipt, trusted, options)
  const claims = read(Claims, signed, 'jws', 'body of the JWS')
  if (claims.aud !== claims.iss) throw new Refusal('jws', 'The JWS has another audience.')
  checkStatement(receipt, claims)
  await checkPasskey(receipt, claims)
  return {
    version: 1,
    statement: receipt.statement,
    decidedAt: claims.decided_at,
    grantExpiresAt: claims.grant_expires_at,
    signedAt: new Date(claims.iat * 1000).toISOString(),
    issuer: claims.iss,
    kid,
    passkey:
      receipt.passkey === null ? null : { credentialId: receipt.passkey.credential_id, verifiedUser: true },
    isTrustedKey: trusted !== undefined,
  }
}

function checkStatement(receipt: ReceiptFile, claims: z.infer<typeof Claims>): void {
  const { statement, statement_text: text } = receipt
  if (statementText(statement) !== text) throw new Refusal('statement', 'The statement and its text differ.')
  if (statementText(claims.statement) !== text)
    throw new Refusal('statement', 'The statement is not the statement that the service signed.')
  if (receipt.peck_id !== statement.peck_id || claims.sub !== statement.peck_id)
    throw new Refusal('statement', 'The receipt and its statement are about different pecks.')
  if (receipt.decided_at !== claims.decided_at)
    throw new Refusal('statement', 'The time of the decision is not the time that the service signed.')
}

async function checkPasskey(
  { passkey, statement_text: text }: ReceiptFile,
  claims: z.infer<typeof Claims>,
): Promise<void> {
  if (passkey === null) {
    if (claims.approval !== null)
      throw new Refusal('passkey', 'The approval was signed with a passkey, but that signature is missing.')
    return
  }
  if (claims.approval !== hex(await sha256(passkeyText(passkey))))
    throw new Refusal('passkey', 'The passkey proof is not the one that the service signed.')
  await checkAssertion(passkey, text, claims.iss)
}
