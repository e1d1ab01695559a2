/**
 * Session ids for clients of 2025-11-25 and earlier. Nothing is stored for one: it tells the requests of one client apart, so that the
 * client can cancel them, and it says whether the client opens addresses, which such a client declares only in `initialize`. It is no
 * credential, and requests without one are answered too.
 */
import { randomUUID } from 'node:crypto'

const opensUrlsMark = '.opens-urls'

/** Returns a new session id. `opensUrls`: the client supports elicitation in URL mode. */
export function newSessionId(opensUrls: boolean): string {
  return `${randomUUID()}${opensUrls ? opensUrlsMark : ''}`
}

/** Whether the client of a session id opens addresses. */
export function saysOpensUrls(sessionId: string): boolean {
  return sessionId.endsWith(opensUrlsMark)
}
