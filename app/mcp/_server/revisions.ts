/** The revisions of MCP that the server speaks. Older ones need batches, which make the limits of requests unclear. */
import { ProtocolErrorCode } from '@modelcontextprotocol/server'
import { idOf, type Message } from './message'

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
