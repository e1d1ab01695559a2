import { canonicalText } from '../canonical'

interface Context {
  ip?: unknown
  user_agent?: unknown
  salt?: unknown
  digest?: unknown
}

/** Returns the SHA-256 of the canonical JSON (RFC 8785) in hex. Uses Web Crypto, so that it also runs in browsers. */
async function sha256Canonical(value: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(canonicalText(value))
  const digest = await crypto.subtle.digest('SHA-256', bytes)
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function contextOf(event: object): Context {
  const { context } = event as { context?: unknown }
  return typeof context === 'object' && context !== null ? context : {}
}

/**
 * Returns what the hash of an event covers: all members except `hash`. A `digest` in the context replaces IP address, user agent
 * and salt. `ownerId` adds the `duckling_id` that events of older exports lack.
 */
export function hashedContent(event: object, ownerId?: string): object {
  const { hash: _, ...content } = event as { hash?: unknown }
  const { ip, user_agent, salt, ...kept } = contextOf(event)
  const covered = kept.digest === undefined ? content : { ...content, context: kept }
  return ownerId === undefined ? covered : { duckling_id: ownerId, ...covered }
}

/**
 * Returns the hash of an event as in the API: the SHA-256, in hex, of the canonical JSON of `hashedContent`.
 * `lib/infrastructure/events/record.ts` makes the same text when it writes an event.
 */
export function hashEvent(event: object, ownerId?: string): Promise<string> {
  return sha256Canonical(hashedContent(event, ownerId))
}

/** Tells whether IP address and user agent match the digest, or were erased together with the salt. */
async function contextMatches(event: object): Promise<boolean> {
  const { ip, user_agent, salt, digest } = contextOf(event)
  if (digest === undefined) return true
  if (salt === null) return ip === null && user_agent === null
  return (await sha256Canonical({ ip, salt, user_agent })) === digest
}

/** Tells whether an event matches its hash. */
export async function isIntact(event: { hash: string }, ownerId?: string): Promise<boolean> {
  return (await hashEvent(event, ownerId)) === event.hash && (await contextMatches(event))
}
