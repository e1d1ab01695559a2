import canonicalize from 'canonicalize'

interface Context {
  ip?: unknown
  user_agent?: unknown
  salt?: unknown
  digest?: unknown
}

/** SHA-256 in hex of the RFC 8785 text. By Web Crypto, so that a browser checks a log with the same lines as the command line. */
async function sha256Canonical(value: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(canonicalize(value) ?? '')
  const digest = await crypto.subtle.digest('SHA-256', bytes)
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function contextOf(event: object): Context {
  const { context } = event as { context?: unknown }
  return typeof context === 'object' && context !== null ? context : {}
}

/**
 * Returns what the hash of an event covers: all members but `hash`. Where the context has a `digest`, that replaces IP address,
 * user agent and salt. Events of older exports lack `duckling_id`: `ownerId` fills it in.
 */
export function hashedContent(event: object, ownerId?: string): object {
  const { hash: _, ...content } = event as { hash?: unknown }
  const { ip, user_agent, salt, ...kept } = contextOf(event)
  const covered = kept.digest === undefined ? content : { ...content, context: kept }
  return ownerId === undefined ? covered : { duckling_id: ownerId, ...covered }
}

/**
 * Returns the hash of an event in its wire form: SHA-256, in hex, of the RFC 8785 canonical JSON of `hashedContent`.
 * `lib/infrastructure/events/record.ts` makes the same text when it writes the event.
 */
export function hashEvent(event: object, ownerId?: string): Promise<string> {
  return sha256Canonical(hashedContent(event, ownerId))
}

/** Whether IP address and user agent are the ones that the digest was made of, or have been erased together with the salt. */
async function contextFits(event: object): Promise<boolean> {
  const { ip, user_agent, salt, digest } = contextOf(event)
  if (digest === undefined) return true
  if (salt === null) return ip === null && user_agent === null
  return (await sha256Canonical({ ip, salt, user_agent })) === digest
}

/** Returns whether the event is the one that its hash was made of. */
export async function isIntact(event: { hash: string }, ownerId?: string): Promise<boolean> {
  return (await hashEvent(event, ownerId)) === event.hash && (await contextFits(event))
}
