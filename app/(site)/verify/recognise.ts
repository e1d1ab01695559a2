/** Tells what somebody typed or pasted into the field of the check page. Checks nothing. */
import { m } from '@/lib/kernel/messages'
import { findCertificateId, findNumber } from './find-number'

/** The tokens that can be checked here, by the type in their header. */
const tokenKinds = {
  'vc+jwt': 'credential',
  'agent+jwt': 'agent_token',
  'peck+jwt': 'grant_token',
} as const

type TokenKind = (typeof tokenKinds)[keyof typeof tokenKinds]

export type Recognised =
  | { kind: 'certificate' | 'agent' | 'request'; id: string }
  | { kind: 'receipt' }
  | { kind: TokenKind | 'sso_token'; token: string }
  /** A secret that nobody may show to anyone. It is not sent to the service. */
  | { kind: 'secret'; name: string }
  /** What to enter instead, when that is known. */
  | { kind: 'unknown'; hint: string | null }

/** The longest text that is looked at, in characters. Longer than any receipt. */
export const textMax = 262_144

/** Returns what the text is, from its form alone. */
export function recognise(given: string): Recognised {
  const text = given.trim()
  if (text === '' || text.length > textMax) return { kind: 'unknown', hint: null }
  return readSecret(text) ?? readDocument(text) ?? readToken(text) ?? readNumber(text)
}

function readSecret(text: string): Recognised | null {
  if (/^beak_KEY-/i.test(text)) return { kind: 'secret', name: 'a beak key' }
  if (/^HSK-[0-9A-Z]{40,}$/i.test(text)) return { kind: 'secret', name: 'a handshake token' }
  return null
}

/** A receipt is JSON. So are the answers of the API, which may be pasted with what they contain. */
function readDocument(text: string): Recognised | null {
  if (!text.startsWith('{')) return null
  const { credential, token, grant_token: grant } = membersOf(text)
  const inside = [credential, token, grant].find((value) => typeof value === 'string')
  return inside === undefined ? { kind: 'receipt' } : recognise(inside)
}

function membersOf(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text)
  } catch {
    // The check of the receipt says that the text was cut.
    return {}
  }
}

function readToken(text: string): Recognised | null {
  const token = text.replace(/^Bearer\s+/i, '')
  if (/^SSO-[0-9A-Z]{78}$/.test(token)) return { kind: 'sso_token', token }
  const [, header] = /^([\w-]+)\.[\w-]+\.[\w-]+$/.exec(token) ?? []
  if (header === undefined) return null
  const type = typeOf(header)
  if (type === 'at+jwt') return { kind: 'secret', name: 'a session token' }
  if (type === 'peck-receipt+jwt') return { kind: 'unknown', hint: m.verify_receipt_signature_error() }
  return isTokenType(type)
    ? { kind: tokenKinds[type], token }
    : { kind: 'unknown', hint: m.verify_token_kind_error() }
}

const isTokenType = (type: unknown): type is keyof typeof tokenKinds =>
  typeof type === 'string' && Object.hasOwn(tokenKinds, type)

/** Returns the `typ` in the header of a JWT, or undefined. */
function typeOf(header: string): unknown {
  try {
    return JSON.parse(atob(header.replaceAll('-', '+').replaceAll('_', '/'))).typ
  } catch {
    return undefined
  }
}

function readNumber(text: string): Recognised {
  const certificate = findCertificateId(text)
  if (certificate !== null) return { kind: 'certificate', id: certificate }
  const agent = findNumber('AGT', text)
  if (agent !== null) return { kind: 'agent', id: agent }
  const request = findNumber('PECK', text)
  if (request !== null) return { kind: 'request', id: request }
  const hint = findNumber('DUCK', text) === null ? null : m.verify_duckling_id_error()
  return { kind: 'unknown', hint }
}
