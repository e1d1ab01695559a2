/** What the server reads from a JSON-RPC message before the library does. The library validates the message afterwards. */
import {
  CLIENT_CAPABILITIES_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  type RequestId,
} from '@modelcontextprotocol/server'
import type { Opening } from './opening'
import { newSessionId, saysOpensUrls } from './session-id'

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
