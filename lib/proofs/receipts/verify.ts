/**
 * The offline check of an approval receipt (contract D1): whoever holds one finds out, without asking us, what exactly was
 * approved, and that not a character of it was changed. Works outwards from the one thing that cannot be made up, our signature:
 * it covers the statement and the digest of the passkey's part, and the passkey's signature covers the statement again. With Web
 * Crypto only, so that a browser runs the very same check.
 */
import { z } from 'zod'
import { areEqual, type Bytes, base64url, bytesOfBase64url, bytesOfText, hex, joined, sha256 } from './bytes'
import { isUnsupported, verifyCose } from './cose'
import { type PasskeyProof, passkeyText, Receipt, Statement } from './schema'
import { type ApprovalStatement, statementText } from './statement-text'

/** The parts of a receipt, in the order they are checked. */
export const receiptParts = ['file', 'jwks', 'jws', 'statement', 'passkey'] as const
export type ReceiptPart = (typeof receiptParts)[number]

/** The first thing that is wrong with a receipt. */
export interface ReceiptFault {
  part: ReceiptPart
  message: string
}

/** What a receipt that holds says. */
export interface ReceiptFacts {
  statement: ApprovalStatement
  /** ISO 8601. */
  decidedAt: string
  /** When the permission ends; null where it holds until it is revoked. */
  grantExpiresAt: string | null
  issuer: string
  kid: string
  passkey: { credentialId: string; verifiedUser: true } | null
  /** Whether the key that signed was among those the checker trusts, and not only among those in the file. */
  isTrustedKey: boolean
}

export type ReceiptVerdict = { ok: true; facts: ReceiptFacts } | { ok: false; fault: ReceiptFault }

/** As it lies in a file: instants are text there. */
const ReceiptFile = z.strictObject({
  ...Receipt.shape,
  decided_at: z.string(),
  jwks: z.strictObject({
    keys: z
      .array(
        z.strictObject({
          kty: z.literal('OKP'),
          crv: z.literal('Ed25519'),
          x: z.string(),
          kid: z.string(),
          use: z.literal('sig'),
          alg: z.literal('EdDSA'),
        }),
      )
      .max(100),
    distrusted: z.array(z.strictObject({ kid: z.string(), from: z.string() })).optional(),
  }),
})
type ReceiptFile = z.infer<typeof ReceiptFile>

const Header = z.strictObject({
  alg: z.literal('EdDSA'),
  typ: z.literal('peck-receipt+jwt'),
  kid: z.string(),
})

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

/** A receipt that does not hold; caught at the top. */
class Refusal extends Error {
  constructor(
    readonly part: ReceiptPart,
    message: string,
  ) {
    super(message)
  }
}

export interface Jwk {
  kty: string
  kid: string
  x: string
}

/** The service's key set, /.well-known/jwks.json: the keys to trust, and the stolen ones. */
export interface TrustedKeys {
  keys: readonly Jwk[]
  /** `from` is ISO 8601: since then somebody else may have signed with the key. */
  distrusted?: readonly { kid: string; from: string }[] | undefined
}

/** Bytes of base64url in its one canonical spelling. */
function bytesOf(text: string, part: ReceiptPart, name: string): Bytes {
  const bytes = bytesOfBase64url(text)
  if (bytes === null) throw new Refusal(part, `The ${name} is not proper base64url.`)
  return bytes
}

function jsonOf<T>(schema: z.ZodType<T>, bytes: Bytes, part: ReceiptPart, name: string): T {
  try {
    return schema.parse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)))
  } catch {
    throw new Refusal(part, `The ${name} cannot be read.`)
  }
}

/**
 * Checks a receipt. Never throws for what the file says, only where Web Crypto or one of its algorithms is missing; asks nobody.
 * `trusted` are the keys known to be the service's; without them the check tells whether the receipt is in itself right, not who
 * made it.
 */
export async function verifyReceipt(file: unknown, trusted?: TrustedKeys): Promise<ReceiptVerdict> {
  try {
    return { ok: true, facts: await check(file, trusted) }
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, fault: { part: error.part, message: error.message } }
    throw error
  }
}

async function check(file: unknown, trusted: TrustedKeys | undefined): Promise<ReceiptFacts> {
  const parsed = ReceiptFile.safeParse(file)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const place = issue?.path.join('.') ?? ''
    throw new Refusal(
      'file',
      `This is not a receipt${place === '' ? '.' : `: ${place} is not as it must be.`}`,
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

/** A key's id is its RFC 7638 thumbprint, so a changed key is not the one it says it is. */
async function checkKeys({ jwks }: ReceiptFile): Promise<void> {
  for (const { kid, x } of jwks.keys) {
    if (base64url(await sha256(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`)) !== kid)
      throw new Refusal('jwks', 'A key of the service in the receipt does not match its own id.')
  }
}

async function openSignature({ jws, jwks }: ReceiptFile, trusted: TrustedKeys | undefined) {
  const parts = jws.split('.')
  const [headerPart = '', claimsPart = '', signaturePart = ''] = parts
  if (parts.length !== 3) throw new Refusal('jws', "The service's signature is not a JWS.")
  const header = jsonOf(Header, bytesOf(headerPart, 'jws', 'head of the JWS'), 'jws', 'head of the JWS')
  const source = trusted ?? jwks
  refuseDistrusted(source, header.kid)
  const jwk = source.keys.find(({ kid }) => kid === header.kid)
  if (jwk === undefined || !jwks.keys.some(({ kid }) => kid === header.kid))
    throw new Refusal('jws', 'The receipt was not signed with a key of this service.')
  const key = await importKey(jwk)
  const signature = bytesOf(signaturePart, 'jws', 'signature of the service')
  if (!(await crypto.subtle.verify('Ed25519', key, signature, bytesOfText(`${headerPart}.${claimsPart}`))))
    throw new Refusal('jws', "The service's signature does not match: what it signed was changed.")
  const claims = jsonOf(Claims, bytesOf(claimsPart, 'jws', 'body of the JWS'), 'jws', 'body of the JWS')
  if (claims.aud !== claims.iss) throw new Refusal('jws', 'The JWS is meant for somebody else.')
  return { claims, kid: header.kid }
}

/** Refuses at any time of signing: whoever has the key can write any time into a receipt. */
function refuseDistrusted({ distrusted = [] }: TrustedKeys, kid: string): void {
  const stolen = distrusted.find((key) => key.kid === kid)
  if (stolen === undefined) return
  throw new Refusal(
    'jws',
    `The key that signed this receipt was stolen: since ${stolen.from} somebody else may have signed with it, so the service no longer trusts it. Get the receipt again from the service (GET /beak/peck/receipt): it signs with a new key.`,
  )
}

async function importKey({ x }: Jwk): Promise<CryptoKey> {
  try {
    const jwk = { kty: 'OKP', crv: 'Ed25519', x }
    return await crypto.subtle.importKey('jwk', jwk, 'Ed25519', false, ['verify'])
  } catch (error) {
    if (isUnsupported(error)) throw error
    throw new Refusal('jwks', 'The key that signed the receipt is not one.')
  }
}

function checkStatement(receipt: ReceiptFile, claims: z.infer<typeof Claims>): void {
  const { statement, statement_text: text } = receipt
  if (statementText(statement) !== text)
    throw new Refusal('statement', 'The statement and its text do not say the same.')
  if (statementText(claims.statement) !== text)
    throw new Refusal('statement', 'The statement is not the one the service signed.')
  if (receipt.peck_id !== statement.peck_id || claims.sub !== statement.peck_id)
    throw new Refusal('statement', 'The receipt names another peck than its statement.')
  if (receipt.decided_at !== claims.decided_at)
    throw new Refusal('statement', 'The time of the decision is not the one the service signed.')
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
    throw new Refusal('passkey', "The passkey's part is not the one the service signed.")
  await checkAssertion(passkey, text, claims.iss)
}

/** The assertion itself (WebAuthn Level 3, 7.2), over the statement and nothing else. */
async function checkAssertion(
  { assertion, public_key }: PasskeyProof,
  text: string,
  issuer: string,
): Promise<void> {
  const clientBytes = bytesOf(assertion.clientDataJSON, 'passkey', 'client data of the passkey')
  const client = jsonOf(ClientData, clientBytes, 'passkey', 'client data of the passkey')
  if (client.type !== 'webauthn.get') throw new Refusal('passkey', 'The passkey signed something else.')
  if (client.challenge !== base64url(await sha256(text)))
    throw new Refusal('passkey', 'The passkey signed another statement than this one.')
  const { origin, hostname } = addressOf(issuer)
  if (client.origin !== origin || client.crossOrigin === true)
    throw new Refusal('passkey', 'The passkey signed on another site.')
  const authenticatorData = bytesOf(assertion.authenticatorData, 'passkey', 'data of the authenticator')
  const site = await sha256(hostname)
  if (authenticatorData.length < 37 || !areEqual(authenticatorData.subarray(0, 32), site))
    throw new Refusal('passkey', 'The passkey belongs to another site.')
  const flags = authenticatorData[32] ?? 0
  if ((flags & 0x05) !== 0x05)
    throw new Refusal('passkey', 'The authenticator did not check that the person was there.')
  const signed = joined(authenticatorData, await sha256(clientBytes))
  const key = bytesOf(public_key, 'passkey', 'public key of the passkey')
  if (!(await verifyCose(key, signed, bytesOf(assertion.signature, 'passkey', 'signature of the passkey'))))
    throw new Refusal('passkey', "The passkey's signature does not match.")
}

/** The issuer may have a path. A passkey knows only the origin and the host. */
function addressOf(issuer: string): URL {
  if (!URL.canParse(issuer)) throw new Refusal('jws', 'The issuer of the receipt is not an address.')
  return new URL(issuer)
}
