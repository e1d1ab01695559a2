import canonicalize from 'canonicalize'

/**
 * The hash of an event in its wire form: SHA-256, in hex, of the RFC 8785 canonical JSON of all its members but `hash`, with
 * the `duckling_id` whose log it is in. `lib/events/record.ts` makes the very same text when it writes the event.
 * By Web Crypto, so that a browser checks a log with the same lines as the command line does.
 */
export async function hashEvent(ducklingId: string, event: object): Promise<string> {
  const { hash: _, ...content } = event as { hash?: unknown }
  const text = canonicalize({ ...content, duckling_id: ducklingId }) ?? ''
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
