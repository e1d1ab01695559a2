/**
 * Server-sent events of a duckling's pecks. The stream is pulled: nothing starts before the client reads, nothing piles up
 * for one that reads slowly, and with the client everything goes.
 */

import { withGrantTokens } from '@/lib/domain/pecks/grant/grant'
import { isAsker, isTarget } from '@/lib/domain/pecks/rows'
import { Peck, presentReadPeck } from '@/lib/domain/pecks/schema'
import { isSessionLive } from '@/lib/domain/sessions/live'
import { watch } from '@/lib/infrastructure/events/changes'
import { readClock } from '@/lib/kernel/clock'
import type { DucklingContext } from '@/lib/kernel/context'
import { changedPecks, endOfChain } from './changed'
import { takePlace } from './waiting-places'

/** How often changes made by other instances are looked for. */
const lookMilliseconds = 2000
const heartbeatMilliseconds = 15_000
/** Frees the place of an answer that nobody begins to read. */
const unreadMilliseconds = 10_000

/**
 * The caller's pecks as they change, as `text/event-stream`: `ready` first, then a `peck` with the peck's id for each change,
 * a `passkey_recovery` when a removal of all passkeys is asked for, cancelled or done, and comments as heartbeats. Ends with the
 * session, or when the client goes. Throws `waiting_too_many`.
 */
export function streamPecks(
  context: DucklingContext<'waiting_too_many'>,
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  const leavePlace = takePlace(context)
  const stopping = new AbortController()
  const messages = messagesFor(context, stopping.signal)
  const encoder = new TextEncoder()
  // Wakes the generator where it waits, and ends it where it waits for its reader.
  const end = async () => {
    clearTimeout(unread)
    leavePlace()
    signal.removeEventListener('abort', end)
    stopping.abort()
    await messages.return(undefined)
  }
  const unread = setTimeout(end, unreadMilliseconds)
  if (signal.aborted) void end()
  else signal.addEventListener('abort', end)
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        clearTimeout(unread)
        const { done, value } = await messages.next().catch(async (error: unknown) => {
          await end()
          throw error
        })
        if (!done) return controller.enqueue(encoder.encode(value))
        await end()
        controller.close()
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  )
}

async function* messagesFor(context: DucklingContext, stopped: AbortSignal): AsyncGenerator<string> {
  const { id, sessionId } = context.caller
  const changes = watch(id)
  try {
    let reached = await endOfChain(id)
    let spokeAt = readClock().getTime()
    yield 'event: ready\ndata: {}\n\n'
    for (;;) {
      await changes.next(lookMilliseconds, stopped)
      if (stopped.aborted) return
      const now = readClock()
      const found = await changesFor(context, reached, now)
      reached = found.reached
      if (found.messages === '' && now.getTime() - spokeAt < heartbeatMilliseconds) continue
      // After the reading: a session that has ended since gets nothing of it.
      if (!(await isSessionLive(sessionId, readClock()))) return
      spokeAt = now.getTime()
      yield found.messages || ': still here\n\n'
    }
  } finally {
    changes.stop()
  }
}

async function changesFor({ caller }: DucklingContext, after: number, now: Date) {
  const { pecks, recoveries, reached } = await changedPecks(caller.id, after)
  const visible = pecks.filter((peck) => isAsker(caller, peck) || isTarget(caller, peck))
  const messages = (await withGrantTokens(caller, visible, now)).map((peck) => {
    const data = JSON.stringify(Peck.parse(presentReadPeck(peck, now)))
    return `event: peck\nid: ${peck.id}\ndata: ${data}\n\n`
  })
  for (const change of recoveries)
    messages.push(`event: passkey_recovery\ndata: ${JSON.stringify(change)}\n\n`)
  return { messages: messages.join(''), reached }
}
