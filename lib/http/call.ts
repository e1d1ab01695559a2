/** A request and its answer, free of any transport. `node-adapter.ts` and `web-adapter.ts` translate between these and HTTP. */
import { randomUUID } from 'node:crypto'
import type { findCaller } from './caller'

export interface Call {
  method: string
  /** Path below the base address, starting with a slash. */
  path: string
  query: URLSearchParams
  /** By lower-case name. A header that was sent several times is joined with `, `. */
  headers: Readonly<Record<string, string | undefined>>
  /** Reads the body once, as it arrives. */
  body(): AsyncIterable<Uint8Array>
  /** The address of the socket, or null when it is not known. */
  peer: string | null
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal
  /** Replaces authentication, so that all calls of one page request share one result. */
  findCaller?: typeof findCaller
}

/** What a call is answered with. A `body` of null is none. */
export interface Answer {
  status: number
  headers: Record<string, string>
  body: string | Uint8Array | ReadableStream<Uint8Array> | null
}

/** Returns the client's own request id when it is short and harmless, else a new one. */
export function requestIdOf(headers: Call['headers']): string {
  const given = headers['x-request-id'] ?? ''
  return /^[A-Za-z0-9_-]{1,64}$/.test(given) ? given : randomUUID()
}
