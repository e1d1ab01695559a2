/**
 * Opens the decision page at the client (elicitation in URL mode). A client of 2026-07-28 gets the address as a result and repeats the
 * call afterwards. A client of 2025-11-25 gets it as a request in the stream of the answer.
 */

import { randomUUID } from 'node:crypto'
import {
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  PROTOCOL_VERSION_META_KEY,
  ProtocolErrorCode,
  type RequestId,
  type ServerContext,
} from '@modelcontextprotocol/server'

/** How the client opens addresses, or null when it does not. */
export type Opening = 'by-result' | 'by-request' | null

interface Page {
  message: string
  url: string
}

/** Returns a result that asks the client to open a page and to repeat the call with `state`. */
export function openByResult(page: Page, state: string): InputRequiredResult {
  return inputRequired({ inputRequests: { page: inputRequired.elicitUrl(page) }, requestState: state })
}

/** Asks the client to open a page. Does not wait for the response, which can arrive at another instance. */
export function openByRequest(page: Page, elicitationId: string, { mcpReq }: ServerContext): void {
  const request = { method: 'elicitation/create', params: { mode: 'url', elicitationId, ...page } } as const
  mcpReq.send(request).catch(() => undefined)
}

/**
 * Session ids for clients of 2025-11-25 and earlier. Nothing is stored for one: it tells the requests of one client apart, so that the
 * client can cancel them, and it says whether the client opens addresses, which such a client declares only in `initialize`. It is no
 * credential, and requests without one are answered too.
 */

const opensUrlsMark = '.opens-urls'

/** Returns a new session id. `opensUrls`: the client supports elicitation in URL mode. */
function newSessionId(opensUrls: boolean): string {
  return `${randomUUID()}${opensUrls ? opensUrlsMark : ''}`
}

/** Whether the client of a session id opens addresses. */
function saysOpensUrls(sessionId: string): boolean {
  return sessionId.endsWith(opensUrlsMark)
}

/** What the server reads from a JSON-RPC message before the library does. The library validates the message afterwards. */

export type Message = Record<string, unknown>

/** Returns the member at a path of a JSON value, or undefined. */
function memberOf(value: unknown, ...path: string[]): unknown {
  return path.reduce((current, name) => (current as Message | null | undefined)?.[name], value)
}

const declaresUrls = (capabilities: unknown) => memberOf(capabilities, 'elicitation', 'url') !== undefined

/** Returns how the client that sent a message opens addresses. */
export function openingOf(message: Message, sessionId: string): Opening {
  const meta = memberOf(message, 'params', '_meta')
  // Only requests since 2026-07-28 name their revision.
  if (memberOf(meta, PROTOCOL_VERSION_META_KEY) === undefined)
    return saysOpensUrls(sessionId) ? 'by-request' : null
  return declaresUrls(memberOf(meta, CLIENT_CAPABILITIES_META_KEY)) ? 'by-result' : null
}

/** Returns the session id for the answer to `initialize`, and null for other messages. */
export function sessionIdFor(message: Message): string | null {
  if (message.method !== 'initialize') return null
  return newSessionId(declaresUrls(memberOf(message, 'params', 'capabilities')))
}

/** Returns the id of the request that a message cancels, or null when it cancels none. */
export function cancelledBy(message: Message): RequestId | null {
  return message.method === 'notifications/cancelled' ? asId(memberOf(message, 'params', 'requestId')) : null
}

/** Returns the id of a message for the answer to it, or null without one. */
export function idOf(message: Message): RequestId | null {
  return asId(memberOf(message, 'id'))
}

const asId = (id: unknown) => (typeof id === 'string' || typeof id === 'number' ? id : null)

/** The revisions of MCP that the server speaks. Older ones need batches, which make the limits of requests unclear. */

/** Revisions with `initialize`. The library adds 2026-07-28. */
export const revisionsWithInitialize = ['2025-11-25', '2025-06-18']

const revisions = ['2026-07-28', ...revisionsWithInitialize]

/**
 * Returns the JSON-RPC error for the revision in the header of a request, or null when the server speaks it. A request without the header
 * is accepted. The error of the library has no data, and does not name all revisions.
 */
export function unsupportedRevision(requested: string | undefined, message: Message): object | null {
  if (requested === undefined || revisions.includes(requested)) return null
  const reason = requested === '2025-03-26' ? ', because it needs batches' : ''
  return {
    jsonrpc: '2.0',
    id: idOf(message),
    error: {
      code: ProtocolErrorCode.UnsupportedProtocolVersion,
      message: `Revision ${requested} of MCP is not supported${reason}. Supported revisions: ${revisions.join(', ')}.`,
      data: { supported: revisions, requested },
    },
  }
}
