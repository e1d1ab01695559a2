/**
 * Signed tokens: JWTs (RFC 7519) with EdDSA and Ed25519 (RFC 8037) only. Each kind has one `typ`, and the verifier passes the expected
 * kind and audience, so no kind is accepted as another (RFC 8725, 3.11 and 3.12). Uses synchronous `node:crypto` with parsed keys:
 * WebCrypto needs 1.2 to 1.6 times more CPU (measured).
 */
import { sign, verify } from 'node:crypto'
import { config } from '@/lib/kernel/config'
import { readClock } from '@/lib/kernel/runtime/clock'
import { marked } from '@/lib/kernel/service/test-service'
import { signingKey, verificationKey } from './signing-keys'

export const tokenTypes = {
  /** A session, or the access token of an SSO bridge for another audience. */
  access: 'at+jwt',
  grant: 'peck+jwt',
  /** Proof of an agent for a third party. */
  agent: 'agent+jwt',
  /** Certificates and status lists (W3C VC 2.0 secured with JOSE). */
  credential: 'vc+jwt',
  /** Receipt of an approval (contract D1). */
  receipt: 'peck-receipt+jwt',
  /** Head of an audit chain. */
  auditHead: 'audit-head+jwt',
} as const
export type TokenKind = keyof typeof tokenTypes

export type Claims = Record<string, unknown>

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Returns the encoded header and a dot: the start of every token of a kind and a key. */
export function startOfTokens(kind: TokenKind, kid: string): string {
  return `${encode({ alg: 'EdDSA', typ: tokenTypes[kind], kid })}.`
}

function signPart(kind: TokenKind, claimsPart: string, now: Date): string {
  const { kid, privateKey } = signingKey(now)
  const body = `${startOfTokens(kind, kid)}${claimsPart}`
  return `${body}.${sign(null, Buffer.from(body), privateKey).toString('base64url')}`
}

/**
 * Signs claims as a token of a kind, with the key that signs at `now`. Adds `iss`, and in a test service the mark (contract G, Test services).
 * Times in claims are in seconds (NumericDate).
 */
export function signToken(kind: TokenKind, claims: Claims, now = readClock()): string {
  return signPart(kind, encode(marked({ iss: config().baseUrl, ...claims })), now)
}

/** Signs the claims of a token again with the key that signs at `now`. Does not verify the token: pass only stored tokens. */
export function signAgain(kind: TokenKind, token: string, now: Date): string {
  const [, claimsPart = ''] = token.split('.')
  return signPart(kind, claimsPart, now)
}

/** Returns the key id in the header of a token without verifying the token, or null. */
export function kidOf(token: string): string | null {
  const [headerPart = ''] = token.split('.')
  const kid = decode(headerPart)?.kid
  return typeof kid === 'string' ? kid : null
}

function decode(part: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}

/**
 * Returns the claims of a token that this service signed, or null: wrong form, algorithm, type, key, signature, issuer or audience.
 * Ignores its times.
 */
async function verifySigned(kind: TokenKind, token: string, audience: string): Promise<Claims | null> {
  const parts = token.split('.')
  const [headerPart = '', claimsPart = '', signaturePart = ''] = parts
  if (parts.length !== 3 || !/^[\w-]+\.[\w-]+\.[\w-]{86}$/.test(token)) return null
  const header = decode(headerPart)
  if (header?.alg !== 'EdDSA' || header.typ !== tokenTypes[kind] || typeof header.kid !== 'string')
    return null
  if (Object.keys(header).length !== 3) return null
  const key = await verificationKey(header.kid)
  if (key === null) return null
  const signed = Buffer.from(`${headerPart}.${claimsPart}`)
  const signature = Buffer.from(signaturePart, 'base64url')
  // The last character has four unused bits. Only the canonical spelling is accepted.
  if (signature.toString('base64url') !== signaturePart) return null
  if (!verify(null, signed, key, signature)) return null
  const claims = decode(claimsPart)
  return claims !== null && claims.iss === config().baseUrl && claims.aud === audience ? claims : null
}

/**
 * Returns the claims of a token that this service signed (see `verifySigned`) and that is valid at `now`, or null. Without leeway,
 * because the same clock set its times.
 */
export async function verifyToken(
  kind: TokenKind,
  token: string,
  audience: string,
  now: Date,
): Promise<Claims | null> {
  const claims = await verifySigned(kind, token, audience)
  if (claims === null) return null
  const seconds = now.getTime() / 1000
  if (typeof claims.exp !== 'number' || claims.exp <= seconds) return null
  if (claims.nbf !== undefined && (typeof claims.nbf !== 'number' || claims.nbf > seconds)) return null
  return claims
}

/** Returns the seconds since 1970 (NumericDate), rounded down. */
export function numericDate(date: Date): number {
  return Math.floor(date.getTime() / 1000)
}
