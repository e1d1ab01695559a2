/**
 * Server-sent events of a duckling's pecks. The stream is pulled: nothing starts before the client reads, nothing piles up
 * for one that reads slowly, and with the client everything goes.
 */
import { readClock } from '@/lib/kernel/clock'
import type { DucklingContext } from '@/lib/kernel/context'
import { once } from '@/lib/kernel/global'
import { isSessionLive } from '@/lib/sessions/live'
import { changedPecks, endOfChain } from './changed'
import { watch } from './changes'
import { isAsker, isTarget } from './rows'
import { Peck, presentPeckTo } from './schema'

/** How often changes made by other instances are looked for. */
const lookMilliseconds = 2000
const heartbeatMilliseconds = 15_000
const sessionCheckMilliseconds = 30_000

/** Spec silent: streams a duckling may have open at once on one instance; the oldest ends when another begins. */
const streamsMax = 10
const open = () => once('pecks.streams', () => new Map<string, Set<AbortController>>())

function takePlace(ducklingId: string, stream: AbortController): void {
  const streams = open().get(ducklingId) ?? new Set()
  open().set(ducklingId, streams.add(stream))
  const [oldest] = streams
  if (oldest && streams.size > streamsMax) {
    oldest.abort()
    streams.delete(oldest)
  }
}

function leavePlace(ducklingId: string, stream: AbortController): void {
  const streams = open().get(ducklingId)
  streams?.delete(stream)
  if (streams?.size === 0) open().delete(ducklingId)
}

/** How many streams a duckling has open here: for tests of whether they are forgotten. */
export function openStreams(ducklingId: string): number {
  return open().get(ducklingId)?.size ?? 0
}

/**
 * The caller's pecks as they change, as `text/event-stream`: `ready` first, then a `peck` with the peck's id for each change,
 * a `passkey_recovery` when a removal of all passkeys is asked for, cancelled or done, and comments as heartbeats. Ends with the session, when the client goes, or when the caller opens too many others.
 */
export function streamPecks(context: DucklingContext, signal: AbortSignal): ReadableStream<Uint8Array> {
  const stopping = new AbortController()
  const messages = messagesFor(context, stopping)
  const encoder = new TextEncoder()
  // Wakes the generator where it waits, and ends it where it waits for its reader.
  const end = async () => {
    signal.removeEventListener('abort', end)
    stopping.abort()
    await messages.return(undefined)
  }
  signal.addEventListener('abort', end)
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await messages.next()
        if (!done) return controller.enqueue(encoder.encode(value))
        await end()
        controller.close()
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  )
}

async function* messagesFor(context: DucklingContext, stopping: AbortController): AsyncGenerator<string> {
  const { id } = context.caller
  const changes = watch(id)
  takePlace(id, stopping)
  try {
    let reached = await endOfChain(id)
    let spokeAt = readClock().getTime()
    let checkedAt = spokeAt
    yield 'event: ready\ndata: {}\n\n'
    for (;;) {
      await changes.next(lookMilliseconds, stopping.signal)
      if (stopping.signal.aborted) return
      const now = readClock()
      if (now.getTime() - checkedAt >= sessionCheckMilliseconds) {
        if (!(await isSessionLive(context.caller.sessionId, now))) return
        checkedAt = now.getTime()
      }
      const found = await changesFor(context, reached, now)
      reached = found.reached
      if (found.messages !== '' || now.getTime() - spokeAt >= heartbeatMilliseconds) {
        spokeAt = now.getTime()
        yield found.messages || ': still here\n\n'
      }
    }
  } finally {
    changes.stop()
    leavePlace(id, stopping)
  }
}

async function changesFor({ caller }: DucklingContext, after: number, now: Date) {
  const { pecks, recoveries, reached } = await changedPecks(caller.id, after)
  const visible = pecks.filter((peck) => isAsker(caller, peck) || isTarget(caller, peck))
  const messages = visible.map((peck) => {
    const data = JSON.stringify(Peck.parse(presentPeckTo(caller, peck, now)))
    return `event: peck\nid: ${peck.id}\ndata: ${data}\n\n`
  })
  for (const change of recoveries)
    messages.push(`event: passkey_recovery\ndata: ${JSON.stringify(change)}\n\n`)
  return { messages: messages.join(''), reached }
}
