/** A request and its answer, independent of the transport. `adapters.ts` translates between these and HTTP. */
import { randomUUID } from 'node:crypto'
import type { Caller, Context } from '@/lib/kernel/request/context'
import type { FailureName } from '@/lib/kernel/request/failures'
import type { Auth, Identified } from './auth'

export interface Call {
  method: string
  /** Path below the base address, starting with a slash. */
  path: string
  query: URLSearchParams
  /** The keys are lower-case names. The values of a repeated header are joined with `, `. */
  headers: Readonly<Record<string, string | undefined>>
  /** Returns the body, which may still arrive. May be called once. */
  body(): AsyncIterable<Uint8Array> | Iterable<Uint8Array>
  /** The address of the socket, or null when it is not known. */
  peer: string | null
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal
  /** Replaces authentication, so that all calls of one page request share one result. */
  findCaller?: FindCaller
}

/** Authenticates a call and returns its caller. */
type FindCaller = (auth: Auth, call: Call, context: Context<Caller, FailureName>) => Promise<Identified<Auth>>

/** The answer to a call. A `body` of null means that there is no body. */
export interface Answer {
  status: number
  headers: Record<string, string>
  body: string | Uint8Array | ReadableStream<Uint8Array> | null
}

/** The context that the stages of a call share. */
export type CallContext = Context<Caller, FailureName> & {
  requestId: string
  /** Takes more tokens of the bucket that the call took one from. Set when the call was admitted. Throws `rate_limited`. */
  takeTokens?: (tokens: number) => Promise<void> | void
}

/** Returns the request id that the client sent when it is valid, else a new one. */
export function requestIdOf(headers: Call['headers']): string {
  const given = headers['x-request-id'] ?? ''
  return /^[A-Za-z0-9_-]{1,64}$/.test(given) ? given : randomUUID()
}
