/**
 * Opens signed tokens of the service: compact JWS (RFC 7515) with EdDSA and Ed25519 only (RFC 8037). The header must have exactly `alg`,
 * `typ` and `kid`. So no critical extension, embedded key or address of a key is ever accepted.
 */
import * as z from 'zod'
import { bytesOfBase64url, bytesOfText } from './bytes'
import { isUnsupported } from './cose'
import { exactJson } from './exact-numbers'
import type { FoundKey, KeySource } from './keys'
import { isRefusedTest, type TestOptions } from './test-mark'

const Header = z.strictObject({ alg: z.literal('EdDSA'), typ: z.string(), kid: z.string().min(1).max(256) })

/** Longer tokens are refused before they are decoded. A status list with 131,072 random bits has about 30,000 characters. */
const charactersMax = 2 ** 18

export type JwsFault =
  /** Not a compact JWS, another algorithm, or a header with other members. */
  | { kind: 'malformed' }
  | { kind: 'type'; typ: string }
  | { kind: 'key'; kid: string; found: Exclude<FoundKey, { state: 'trusted' }> }
  /** The key in the key set is not an Ed25519 key. */
  | { kind: 'invalid_key'; kid: string }
  | { kind: 'signature'; kid: string }
  /** A test service signed it. */
  | { kind: 'test' }

export type OpenedJws = { ok: true; kid: string; claims: unknown } | { ok: false; fault: JwsFault }

/**
 * Returns the value of JSON in UTF-8, or undefined for other bytes and for an object that has a member twice: languages differ in which of
 * the two they take (RFC 8259, 4). The same with numbers that JSON does not keep.
 */
export function parseJson(bytes: Uint8Array<ArrayBuffer>): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    const value = exactJson(text)
    return namesIn(text) === membersOf(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Counts the names of members in a text that is JSON. */
function namesIn(text: string): number {
  return [...text.matchAll(/"(?:[^"\\]+|\\.)*"(\s*:)?/g)].filter(([, colon]) => colon !== undefined).length
}

/** Counts the members of all objects in a JSON value. Not recursive, because a token can be nested deeply. */
function membersOf(value: unknown): number {
  let members = 0
  const waiting = [value]
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (typeof next !== 'object' || next === null) continue
    const inner: unknown[] = Object.values(next)
    if (!Array.isArray(next)) members += inner.length
    for (const one of inner) waiting.push(one)
  }
  return members
}

/**
 * Verifies the signature of a token of one type and returns its claims, which are undefined when they are not JSON. Checks no claim but the
 * mark of test services.
 * Throws only when Web Crypto lacks Ed25519.
 */
export async function openJws(
  token: string,
  typ: string,
  keys: KeySource,
  options: TestOptions = {},
): Promise<OpenedJws> {
  const parts = token.length > charactersMax ? [] : token.split('.')
  const [header, claims, signature] = parts.map(bytesOfBase64url)
  const read = header && Header.safeParse(parseJson(header))
  if (parts.length !== 3 || !read?.success || !claims || !signature) return fault({ kind: 'malformed' })
  const { kid } = read.data
  if (read.data.typ !== typ) return fault({ kind: 'type', typ: read.data.typ })
  const found = await keys.find(kid)
  if (found.state !== 'trusted') return fault({ kind: 'key', kid, found })
  const key = await importKey(found.x)
  if (key === null) return fault({ kind: 'invalid_key', kid })
  const signed = bytesOfText(`${parts[0]}.${parts[1]}`)
  if (!(await crypto.subtle.verify('Ed25519', key, signature, signed)))
    return fault({ kind: 'signature', kid })
  const value = parseJson(claims)
  return isRefusedTest(value, options) ? fault({ kind: 'test' }) : { ok: true, kid, claims: value }
}

const fault = (one: JwsFault): OpenedJws => ({ ok: false, fault: one })

async function importKey(x: string): Promise<CryptoKey | null> {
  try {
    const jwk = { kty: 'OKP', crv: 'Ed25519', x }
    return await crypto.subtle.importKey('jwk', jwk, 'Ed25519', false, ['verify'])
  } catch (error) {
    if (isUnsupported(error)) throw error
    return null
  }
}
