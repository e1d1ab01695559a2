/** Follows the event stream of pecks. */
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { BeakAnswerError, BeakConnectionError } from './errors'
import type { Peck, PeckEndedData } from './generated/schemas'
import { delayAfter, sleep, startDeadline } from './http/retry'
import { broken, readAnswer } from './http/send'

/** A peck of the stream. `cause`: what ended it or its permission, as in webhooks. */
export type StreamedPeck = Peck & Pick<PeckEndedData, 'cause'>

/** An event of the stream. */
export type PeckEvent =
  /** The stream is connected. Changes before are not sent again. */
  | { type: 'ready' }
  /** A peck that the person sent or received is new or has changed. */
  | { type: 'peck'; peck: StreamedPeck }
  /** A removal of all passkeys of the person was requested, cancelled or done. */
  | { type: 'passkey_recovery'; status: 'pending' | 'cancelled' | 'done'; removes_at: string }
  /** The person blocked or unblocked somebody, whose waiting pecks have gone or come back. Those that come back follow as `peck`. */
  | { type: 'peck_block'; duckling_id: string; blocked: boolean }
  /** A session of the account changed what protects it or speaks for it, for example `webhook.deleted`. */
  | { type: 'account_change'; change: string; at: string }

/** Settings of a stream. */
export interface StreamOptions {
  /** Ends the stream. The loop then rejects with the reason of the signal. */
  signal?: AbortSignal | undefined
  /** Milliseconds until a connection attempt fails. Default: the client's `timeout`. */
  timeout?: number | undefined
}

/** The service sends something every 15 seconds. After three times as long without anything, the connection is dead. */
const silentMilliseconds = 45_000
/** A connection that lasted this long was no failure: the next attempt waits as shortly as the first. */
const stableMilliseconds = 10_000

export async function* followPecks(
  open: (signal: AbortSignal) => Promise<Response>,
  { signal, timeout, maxDelay }: { signal: AbortSignal | undefined; timeout: number; maxDelay: number },
): AsyncGenerator<PeckEvent, void, undefined> {
  for (let failures = 0; ; failures++) {
    const deadline = startDeadline(timeout, signal)
    const started = performance.now()
    try {
      const response = await open(deadline.signal)
      if (!response.ok) await readAnswer(response, 'json', deadline.signal)
      yield* readEvents(response, deadline.signal, () => deadline.extend(silentMilliseconds))
      // The service ends the stream with the session, and when it restarts. The next attempt tells which.
      throw new BeakConnectionError('The service ended the stream.')
    } catch (error) {
      if (performance.now() - started > stableMilliseconds) failures = 0
      const delay = delayAfter(error, Math.min(failures, 6), maxDelay)
      if (delay === null) throw error
      await sleep(delay, signal)
    } finally {
      deadline.end()
    }
  }
}

async function* readEvents(
  response: Response,
  signal: AbortSignal,
  onBytes: () => void,
): AsyncGenerator<PeckEvent, void, undefined> {
  if (!/^text\/event-stream\b/.test(response.headers.get('Content-Type') ?? '') || response.body === null)
    throw new BeakAnswerError('The address returned no event stream.', response.status, null)
  const messages: EventSourceMessage[] = []
  const parser = createParser({ onEvent: (message) => messages.push(message) })
  const decoder = new TextDecoder()
  const reader = response.body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        throw broken(error, signal)
      })
      if (done) return
      onBytes()
      parser.feed(decoder.decode(value, { stream: true }))
      for (const message of messages.splice(0)) {
        const event = eventOf(message)
        if (event !== null) yield event
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

/** Returns the event of a message, or null for a kind that this version does not have. */
function eventOf({ event, data }: EventSourceMessage): PeckEvent | null {
  if (event === 'ready') return { type: 'ready' }
  if (event === 'peck') return { type: 'peck', peck: JSON.parse(data) as StreamedPeck }
  if (event === 'passkey_recovery') return { type: 'passkey_recovery', ...JSON.parse(data) }
  if (event === 'peck_block') return { type: 'peck_block', ...JSON.parse(data) }
  if (event === 'account_change') return { type: 'account_change', ...JSON.parse(data) }
  return null
}
