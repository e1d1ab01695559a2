/**
 * Ends the tool call that a client of 2025-11-25 cancels with a message of its own. Works when the message reaches the instance that
 * runs the call; on another instance, the call ends when its wait does. Clients of 2026-07-28 close the stream of the call instead.
 */
import type { RequestId } from '@modelcontextprotocol/server'
import { singleton } from '@/lib/kernel/runtime/singleton'

const running = () => singleton('mcp.running', () => new Map<string, AbortController>())

/** `client` is the same for all requests of one client, and other clients cannot choose it. */
const nameOf = (client: string, id: RequestId) => JSON.stringify([client, id])

/** Runs a tool call with a signal that aborts when the client disconnects or cancels the call. */
export async function runCancellable<T>(
  client: string,
  id: RequestId,
  disconnected: AbortSignal,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const name = nameOf(client, id)
  const controller = new AbortController()
  running().set(name, controller)
  try {
    return await run(AbortSignal.any([disconnected, controller.signal]))
  } finally {
    if (running().get(name) === controller) running().delete(name)
  }
}

/** Cancels a running call of a client. Does nothing when there is no such call. */
export function cancelCall(client: string, id: RequestId): void {
  running().get(nameOf(client, id))?.abort()
}
