/**
 * The offline check of an approval receipt (contract D1). Anybody can check without the service what exactly was approved and that
 * nothing was changed. The signature of the service covers the statement and the digest of the passkey proof. The signature of the
 * passkey covers the statement too. Uses only Web Crypto, so that browsers run the same code.
 */
import * as z from 'zod'
import { areEqual, type Bytes, base64url, bytesOfBase64url, hex, joined, sha256 } from '../bytes'
import { verifyCose } from '../cose'
import { type JwsFault, openJws, parseJson } from '../jws'
import { type KeySet, type KeySource, sourceOf } from '../keys'
import { type PasskeyProof, passkeyText, ReceiptFile, Statement } from './schema'
import { type ApprovalStatement, statementText } from './statement-text'

/** The parts of a receipt, in the order they are checked. */
export const receiptParts = ['file', 'jwks', 'jws', 'statement', 'passkey'] as const
export type ReceiptPart = (typeof receiptParts)[number]

/** The first fault of a receipt. */
export interface ReceiptFault {
  part: ReceiptPart
  message: string
}

/** The content of a valid receipt. */
export interface ReceiptFacts {
  statement: ApprovalStatement
  /** ISO 8601. */
  decidedAt: string
  /** When the permission ends. Null: when it is revoked. */
  grantExpiresAt: string | null
  issuer: string
  kid: string
  passkey: { credentialId: string; verifiedUser: true } | null
  /** Whether the caller passed trusted keys. Otherwise only the keys in the file were used. */
  isTrustedKey: boolean
}

export type ReceiptVerdict = { ok: true; facts: ReceiptFacts } | { ok: false; fault: ReceiptFault }

const Claims = z.strictObject({
  iss: z.string(),
  aud: z.string(),
  sub: z.string(),
  iat: z.int(),
  decision: z.literal('approved'),
  decided_at: z.string(),
  grant_expires_at: z.string().nullable(),
  statement: Statement,
  approval: z.string().nullable(),
})

const ClientData = z.looseObject({
  type: z.string(),
  challenge: z.string(),
  origin: z.string(),
  crossOrigin: z.boolean().optional(),
})

/** Thrown for an invalid receipt, and caught by `checkReceipt`. */
class Refusal extends Error {
  constructor(
    readonly part: ReceiptPart,
    message: string,
  ) {
    super(message)
  }
}

/** Decodes canonical base64url. Throws `Refusal` for other text. */
function bytesOf(text: string, part: ReceiptPart, name: string): Bytes {
  const bytes = bytesOfBase64url(text)
  if (bytes === null) throw new Refusal(part, `The ${name} is not canonical base64url.`)
  return bytes
}

function jsonOf<T>(schema: z.ZodType<T>, value: unknown, part: ReceiptPart, name: string): T {
  const { success, data } = schema.safeParse(value)
  if (!success) throw new Refusal(part, `The ${name} cannot be read.`)
  return data
}

/**
 * Verifies a receipt. Never throws because of the content of the file, only when Web Crypto lacks an algorithm. Makes no requests.
 * `trusted` are the keys of the service. Without them, the result does not say who made the receipt, only whether it is consistent.
 */
export async function checkReceipt(file: unknown, trusted?: KeySet | KeySource): Promise<ReceiptVerdict> {
  try {
    return { ok: true, facts: await check(file, trusted) }
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, fault: { part: error.part, message: error.message } }
    throw error
  }
}

async function check(file: unknown, trusted: KeySet | KeySource | undefined): Promise<ReceiptFacts> {
  const parsed = ReceiptFile.safeParse(file)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const place = issue?.path.join('.') ?? ''
    throw new Refusal(
      'file',
      `This is not a receipt${place === '' ? '.' : `: ${place} is missing or invalid.`}`,
    )
  }
  const receipt = parsed.data
  await checkKeys(receipt)
  const { claims, kid } = await openSignature(receipt, trusted)
  checkStatement(receipt, claims)
  await checkPasskey(receipt, claims)
  return {
    statement: receipt.statement,
    decidedAt: claims.decided_at,
    grantExpiresAt: claims.grant_expires_at,
    issuer: claims.iss,
    kid,
    passkey:
      receipt.passkey === null ? null : { credentialId: receipt.passkey.credential_id, verifiedUser: true },
    isTrustedKey: trusted !== undefined,
  }
}

/** Checks that the id of each key is its RFC 7638 thumbprint. */
async function checkKeys({ jwks }: ReceiptFile): Promise<void> {
  for (const { kid, x } of jwks.keys) {
    if (base64url(await sha256(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`)) !== kid)
      throw new Refusal('jwks', 'A key of the service in the receipt does not match its id.')
  }
}

async function openSignature({ jws, jwks }: ReceiptFile, trusted: KeySet | KeySource | undefined) {
  const opened = await openJws(jws, 'peck-receipt+jwt', sourceOf(trusted ?? jwks))
  if (!opened.ok) throw refusalOf(opened.fault)
  const { kid } = opened
  if (!jwks.keys.some((key) => key.kid === kid)) throw new Refusal('jws', otherService)
  const claims = jsonOf(Claims, opened.claims, 'jws', 'body of the JWS')
  if (claims.aud !== claims.iss) throw new Refusal('jws', 'The JWS has another audience.')
  return { claims, kid }
}

const otherService = 'The receipt was not signed with a key of this service.'

function refusalOf(fault: JwsFault): Refusal {
  switch (fault.kind) {
    case 'malformed':
    case 'type':
      return new Refusal('jws', "The service's signature is not the JWS of a receipt.")
    case 'invalid_key':
      return new Refusal('jwks', 'The key that signed the receipt is not a valid key.')
    case 'signature':
      return new Refusal('jws', "The service's signature does not match: the signed content was changed.")
    case 'key':
      return refusalOfKey(fault)
  }
}

/** Rejects stolen keys for any time of signing, because a thief can write any time into a receipt. */
function refusalOfKey({ found }: Extract<JwsFault, { kind: 'key' }>): Refusal {
  if (found.state === 'unavailable') return new Refusal('jws', `${found.cause}.`)
  if (found.state === 'unknown') return new Refusal('jws', otherService)
  return new Refusal(
    'jws',
    `The key that signed this receipt was stolen. Since ${found.from} somebody else may have signed with it, so the service no longer trusts it. Get the receipt again from the service (GET /beak/peck/receipt), which signs it with a new key.`,
  )
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

/** Verifies the assertion (WebAuthn Level 3, 7.2). Its challenge must be the digest of the statement. */
async function checkAssertion(
  { assertion, public_key }: PasskeyProof,
  text: string,
  issuer: string,
): Promise<void> {
  const clientBytes = bytesOf(assertion.clientDataJSON, 'passkey', 'client data of the passkey')
  const client = jsonOf(ClientData, parseJson(clientBytes), 'passkey', 'client data of the passkey')
  if (client.type !== 'webauthn.get') throw new Refusal('passkey', 'The passkey signed something else.')
  if (client.challenge !== base64url(await sha256(text)))
    throw new Refusal('passkey', 'The passkey signed another statement.')
  const { origin, hostname } = addressOf(issuer)
  if (client.origin !== origin || client.crossOrigin === true)
    throw new Refusal('passkey', 'The passkey signed on another site.')
  const authenticatorData = bytesOf(assertion.authenticatorData, 'passkey', 'data of the authenticator')
  const site = await sha256(hostname)
  if (authenticatorData.length < 37 || !areEqual(authenticatorData.subarray(0, 32), site))
    throw new Refusal('passkey', 'The passkey belongs to another site.')
  const flags = authenticatorData[32] ?? 0
  if ((flags & 0x05) !== 0x05) throw new Refusal('passkey', 'The authenticator did not verify the person.')
  const signed = joined(authenticatorData, await sha256(clientBytes))
  const key = bytesOf(public_key, 'passkey', 'public key of the passkey')
  if (!(await verifyCose(key, signed, bytesOf(assertion.signature, 'passkey', 'signature of the passkey'))))
    throw new Refusal('passkey', "The passkey's signature does not match.")
}

/** The issuer may have a path. A passkey knows only the origin and the host. */
function addressOf(issuer: string): URL {
  if (!URL.canParse(issuer)) throw new Refusal('jws', 'The issuer of the receipt is not a URL.')
  return new URL(issuer)
}
