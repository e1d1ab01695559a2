/** Snoozed pecks come back by the clock alone, without an event. So a stream sleeps until the next one comes back, and then reads it. */

import type { z } from 'zod'
import { db } from '@/lib/db/client'
import { sql } from '@/lib/db/sql'
import { grantTokensOf } from '@/lib/domain/pecks/grant/tokens'
import {
  findPeckWithToken,
  isAsker,
  isTarget,
  type PeckRow,
  readPecks,
  requireVisible,
} from '@/lib/domain/pecks/rows'
import { type PeckInput, presentPeckTo, StreamedPeck } from '@/lib/domain/pecks/schema'
import { isPendingAt, statusOf } from '@/lib/domain/pecks/state'
import { sessionExpiry } from '@/lib/domain/sessions/authenticate'
import { watch } from '@/lib/infrastructure/events/signals'
import type { DucklingContext, OperatorContext } from '@/lib/kernel/request/context'
import { readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { lastSeq, readChanges } from './changes'
import { acquireSlot, checkCredential, credentialTopic } from './connection-slots'

interface NextReturn {
  after: Date
  /** Null when nothing is snoozed. */
  next: Date | null
}

/** Returns when the first peck after that time comes back into the inbox of a duckling. */
async function nextReturn(ducklingId: string, after: Date): Promise<NextReturn> {
  // The condition of the index "Peck_snoozed_idx".
  const [row] = await db().rows<{ next: Date | null }>`
    SELECT min("snoozedUntil") AS "next" FROM "Peck"
    WHERE "targetDucklingId" = ${ducklingId} AND "snoozedUntil" IS NOT NULL AND "snoozedUntil" > ${after}::timestamptz`
  return { after, next: row?.next ?? null }
}

/** Returns the pecks that came back into the inbox of a duckling between two times and that are still pending. */
function readReturned(ducklingId: string, after: Date, now: Date): Promise<PeckRow[]> {
  return readPecks(
    db(),
    sql`SELECT * FROM "Peck" WHERE "targetDucklingId" = ${ducklingId} AND NOT "blocked" AND ${isPendingAt(now)}
      AND "snoozedUntil" IS NOT NULL AND "snoozedUntil" > ${after}::timestamptz AND "snoozedUntil" <= ${now}::timestamptz`,
  )
}

/**
 * Server-sent events of a duckling's pecks. The client's reads drive the stream: nothing starts before the first read, nothing
 * is buffered for a slow client, and everything is released when the client disconnects.
 */

const heartbeatMilliseconds = 15_000
/** How long a slot is kept for an answer that the client has not begun to read. */
const firstReadMilliseconds = 10_000

/**
 * Returns the caller's pecks as they change, as `text/event-stream`: `ready` first, then a `peck` for each change, a
 * `passkey_recovery` when a removal of all passkeys is requested, cancelled or done, a `peck_block` when the caller blocks or unblocks
 * a duckling, an `account_change` when a session of the account made a sensitive change, and comments as heartbeats. Ends when the session ends or the client disconnects. Throws `too_many_open_connections`.
 */
export function streamPecks(
  context: DucklingContext<'too_many_open_connections'>,
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  const releaseSlot = acquireSlot(context)
  const stopping = new AbortController()
  const messages = messagesFor(context, stopping.signal)
  const encoder = new TextEncoder()
  // Stops the generator both while it waits for a change and while it waits for the client to read.
  const end = async () => {
    clearTimeout(unreadTimer)
    releaseSlot()
    signal.removeEventListener('abort', end)
    stopping.abort()
    await messages.return(undefined)
  }
  const unreadTimer = setTimeout(end, firstReadMilliseconds)
  if (signal.aborted) void end()
  else signal.addEventListener('abort', end)
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        clearTimeout(unreadTimer)
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

/** Waits for signals of the duckling and of the session, so an idle stream runs no query. */
async function* messagesFor(context: DucklingContext, stopped: AbortSignal): AsyncGenerator<string> {
  const { id, sessionId } = context.caller
  const changes = watch(id, sessionId)
  try {
    let seq = await lastSeq(id)
    const expiresAt = await sessionExpiry(sessionId, readClock())
    let hasMore = false
    let snoozes = await nextReturn(id, readClock())
    let heartbeatAt = readClock().getTime() + heartbeatMilliseconds
    yield 'event: ready\ndata: {}\n\n'
    while (expiresAt !== null) {
      const nextAt = Math.min(heartbeatAt, expiresAt.getTime(), snoozes.next?.getTime() ?? Infinity)
      const isSignalled = hasMore || (await changes.next(nextAt - readClock().getTime(), stopped))
      const now = readClock()
      if (stopped.aborted || now >= expiresAt) return
      const isDue = snoozes.next !== null && snoozes.next <= now
      let messages = ''
      if (isSignalled) {
        ;({ messages, seq, hasMore } = await messagesAfter(context, seq, now))
        // Checked after the read, so that a session that ended meanwhile receives nothing. Together, because the client waits for both.
        const [expiry, returns] = await Promise.all([
          sessionExpiry(sessionId, readClock()),
          isDue ? snoozes : nextReturn(id, snoozes.after),
        ])
        if (expiry === null) return
        snoozes = returns
      }
      // A snooze signals the duckling, so the next return is only read again after a signal or a return.
      if (isDue) {
        messages += returnedMessages(context, await readReturned(id, snoozes.after, now), now)
        snoozes = await nextReturn(id, now)
      }
      if (messages === '' && now.getTime() < heartbeatAt) continue
      heartbeatAt = now.getTime() + heartbeatMilliseconds
      yield messages || ': still here\n\n'
    }
  } finally {
    changes.stop()
  }
}

async function messagesAfter({ caller }: DucklingContext, after: number, now: Date) {
  const { pecks, causes, recoveries, blocks, account, seq, hasMore } = await readChanges(caller.id, after)
  const visible = pecks.filter((peck) => isAsker(caller, peck) || isTarget(caller, peck))
  const tokens = await grantTokensOf(caller, visible, now)
  const messages = visible.map((peck) => {
    const cause = causes.get(peck.id)
    return peckMessage({
      ...presentPeckTo(caller, peck, now, tokens.get(peck.id)),
      ...(cause === undefined ? {} : { cause }),
    })
  })
  for (const change of recoveries)
    messages.push(`event: passkey_recovery\ndata: ${JSON.stringify(change)}\n\n`)
  for (const change of blocks) messages.push(`event: peck_block\ndata: ${JSON.stringify(change)}\n\n`)
  for (const change of account) messages.push(`event: account_change\ndata: ${JSON.stringify(change)}\n\n`)
  return { messages: messages.join(''), seq, hasMore }
}

function peckMessage(peck: z.input<typeof StreamedPeck>): string {
  return `event: peck\nid: ${peck.peck_id}\ndata: ${JSON.stringify(StreamedPeck.parse(peck))}\n\n`
}

/** Returns the messages of pecks that have come back into the inbox of the caller. They are pending, so they have no grant token. */
function returnedMessages({ caller }: DucklingContext, pecks: PeckRow[], now: Date): string {
  return pecks.map((peck) => peckMessage(presentPeckTo(caller, peck, now))).join('')
}

/**
 * Returns a peck. With `waitSeconds`, waits until the peck is decided or expires, the time is up, or the client disconnects (a
 * long poll). It waits for signals, without queries. Throws `peck_not_found`, `too_many_open_connections` when it must wait and the account
 * has no free slot, or the failures of `checkCredential` when the credential ended while it waited.
 */
export async function peckStatus(
  context: OperatorContext<
    | 'peck_not_found'
    | 'too_many_open_connections'
    | 'session_invalid'
    | 'beak_key_invalid'
    | 'account_suspended'
    | 'agent_not_bonded'
  >,
  peckId: string,
  waitSeconds: number,
  signal: AbortSignal,
): Promise<PeckInput> {
  const { caller } = context
  const deadline = secondsAfter(context.now, waitSeconds)
  // Subscribes before the first read, so that no change between the two is missed.
  const changes = watch(peckId, credentialTopic(context))
  let releaseSlot: (() => void) | null = null
  try {
    // The only request that reads the clock more than once, because it waits.
    for (let { now } = context; ; now = readClock()) {
      const peck = requireVisible(context, await findPeckWithToken(peckId))
      // Checked after the read, so that a caller whose credential ended meanwhile gets nothing.
      if (releaseSlot !== null) await checkCredential(context, now)
      if (statusOf(peck, now) !== 'pending' || now >= deadline || signal.aborted)
        return presentPeckTo(caller, peck, now, (await grantTokensOf(caller, [peck], now)).get(peck.id))
      releaseSlot ??= acquireSlot(context)
      const end = Math.min(...[deadline, peck.rejectAt ?? peck.expiresAt].map(Number))
      await changes.next(end - now.getTime(), signal)
    }
  } finally {
    changes.stop()
    releaseSlot?.()
  }
}
