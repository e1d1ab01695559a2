/**
 * The one pattern of the API: an endpoint is declared, and the stages every request goes through stand here once, in order:
 * address, limit, caller, tier, input, handle, projection, answer. A refused attempt at a change is recorded here as well.
 */
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { transaction } from '@/lib/db/transaction'
import type { EventKind } from '@/lib/infrastructure/events/kinds'
import { record } from '@/lib/infrastructure/events/record'
import { readClock } from '@/lib/kernel/clock'
import type { Caller, Context, Tier } from '@/lib/kernel/context'
import { reaches } from '@/lib/kernel/context'
import { errorCodes, type Failure, type FailureName, fail, failureTable } from '@/lib/kernel/failures'
import { recordLatency } from '@/lib/kernel/latency'
import type { LimitGroup, Rate } from '@/lib/kernel/limit-table'
import { log } from '@/lib/kernel/log'
import { clientAddress, limitKey } from './address'
import { readJson, readQuery } from './body'
import { type Auth, type CallerOf, hasQueryKey, identify } from './caller'
import { type LimitState, takeToken } from './limiter'
import { parse } from './parse'
import { asFailure, baseHeaders, json, problem } from './respond'

export interface Definition<
  A extends Auth = Auth,
  B extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
> {
  /** One line for the reference. */
  summary: string
  /** What the summary does not say, in Markdown. */
  description?: string
  auth: A
  /** What an agent needs in its list to call this (contract A). */
  capability?: string
  /**
   * Whose bucket a call draws on; null for the probes of whoever hosts it. `authenticated` is the caller's own, and
   * `anonymous`, the address's, for one without a credential.
   */
  limit: LimitGroup | null
  /** The least tier that may call this. */
  tier?: Tier
  body?: B
  query?: Q
  /** Request headers it reads, for the reference. */
  headers?: Record<string, string>
  response: R
  /** Media type of the answer, where it is not JSON; `handle` then gives a string, bytes or a stream. */
  media?:
    | 'text/event-stream'
    | 'application/vc+jwt'
    | 'text/plain; charset=utf-8'
    | 'application/octet-stream'
  /** What `handle` may throw, besides what the stages do. */
  failures?: FailureName[]
  /** The event that a refused call is an attempt at; none for reads. */
  attempt?: EventKind
  /** Answers also while the database is away: nothing waits for it to open. */
  withoutDatabase?: true
  /** Headers that replace the usual ones on success. */
  responseHeaders?: Record<string, string>
  handle(
    context: Context<CallerOf[A]>,
    input: { body: z.output<B>; query: z.output<Q>; request: Request },
  ): Promise<z.input<R>> | z.input<R>
}

/** What goes over the wire of an endpoint, as types: for clients in this code base. */
export interface Wire {
  body: unknown
  query: unknown
  response: unknown
}

export interface Endpoint<W extends Wire = Wire> {
  (request: Request): Promise<Response>
  definition: Definition
  /** Never there: it only carries the types. */
  wire?: W
}

const emptyObject = z.strictObject({})

/**
 * Makes the handler of a declared endpoint: plain `Request` in, plain `Response` out. The response schema is applied, so
 * what it does not name does not leave the house; a failure that is neither declared nor a stage's is our own fault.
 */
export function endpoint<
  A extends Auth,
  R extends z.ZodType,
  B extends z.ZodType = typeof emptyObject,
  Q extends z.ZodType = typeof emptyObject,
>(
  definition: Definition<A, B, Q, R>,
): Endpoint<{ body: z.input<B>; query: z.input<Q>; response: z.output<R> }> {
  const plain = definition as unknown as Definition
  const handler = (request: Request) => answer(plain, request)
  return Object.assign(handler, { definition: plain })
}

interface Call {
  definition: Definition
  request: Request
  url: URL
  context: Context
  headers: Headers
}

/** The caller's own request id where it is short and harmless, else a new one. */
export function requestIdOf(request: Request): string {
  const given = request.headers.get('x-request-id') ?? ''
  return /^[A-Za-z0-9_-]{1,64}$/.test(given) ? given : randomUUID()
}

async function answer(definition: Definition, request: Request): Promise<Response> {
  const now = readClock()
  const started = performance.now()
  const requestId = requestIdOf(request)
  const url = new URL(request.url)
  const call: Call = {
    definition,
    request,
    url,
    context: { now, requestId, ip: clientAddress(request), userAgent: userAgentOf(request), caller: null },
    headers: baseHeaders(requestId),
  }
  const response = await stages(call).catch((error: unknown) => refuse(call, error))
  const milliseconds = performance.now() - started
  recordLatency(milliseconds)
  const { caller } = call.context
  log().info({
    request_id: requestId,
    method: request.method,
    path: url.pathname,
    status: response.status,
    ms: Math.round(milliseconds * 10) / 10,
    ip: call.context.ip,
    ...(caller ? { caller: caller.type === 'duckling' ? caller.id : caller.agentId } : {}),
  })
  return response
}

/** Bounded, so that a client cannot fill our log with its own header. */
function userAgentOf(request: Request): string | null {
  return request.headers.get('user-agent')?.slice(0, 256) ?? null
}

async function stages(call: Call): Promise<Response> {
  const { definition, request, url, context, headers } = call
  await admit(call)
  checkTier(definition, context.caller)
  const given = readQuery(url)
  // The credential, which has been judged.
  if (definition.auth !== 'none') delete given.beak_key
  const query = parse(definition.query ?? emptyObject, given, 'is not a known parameter')
  const body = takesBody(request.method)
    ? parse(definition.body ?? emptyObject, await readJson(request), 'is not a known field')
    : {}
  if (hasQueryKey(request, url)) headers.set('Deprecation', '@1763596800')
  const result: unknown = await definition.handle(context as never, { body, query, request })
  for (const [name, value] of Object.entries(definition.responseHeaders ?? {})) headers.set(name, value)
  if (definition.media !== undefined) {
    headers.set('Content-Type', definition.media)
    return new Response(result as string | Uint8Array<ArrayBuffer> | ReadableStream, { headers })
  }
  return json(definition.response.parse(result), headers)
}

/**
 * Limit and caller. Where the limit is the caller's own, the caller comes first; a request whose credential is refused
 * counts against its address like any other without one.
 */
async function admit(call: Call): Promise<void> {
  const { definition, request, url, context } = call
  const address = limitKey(context.ip)
  if (definition.limit !== null && definition.limit !== 'authenticated')
    await limit(call, definition.limit, address, null)
  const isOwn = definition.limit === 'authenticated'
  const { caller, rate } = await identify(definition.auth, request, url, context.now).catch(
    async (error: unknown) => {
      if (isOwn) await limit(call, 'anonymous', address, null)
      throw error
    },
  )
  context.caller = caller
  if (isOwn && caller !== null) await limit(call, 'authenticated', caller.id, rate)
  if (isOwn && caller === null) await limit(call, 'anonymous', address, null)
  checkCapability(definition, caller)
}

/** Sends what is left (IETF draft-ietf-httpapi-ratelimit-headers) and refuses when that is nothing. */
async function limit(call: Call, group: LimitGroup, key: string, rate: Rate | null): Promise<void> {
  const state: LimitState = await takeToken(group, key, rate)
  call.headers.set('RateLimit-Policy', `"${group}";q=${state.rate.perMinute};w=60;burst=${state.rate.burst}`)
  call.headers.set('RateLimit', `"${group}";r=${state.remaining};t=${state.retryAfter}`)
  if (!state.success) throw fail('rate_limited', { retry_after: state.retryAfter })
}

function checkCapability(definition: Definition, caller: Caller): void {
  if (caller?.type !== 'agent' || definition.capability === undefined) return
  if (!caller.capabilities.includes(definition.capability)) {
    throw fail('capability_missing', { required_capability: definition.capability })
  }
}

function checkTier(definition: Definition, caller: Caller): void {
  if (definition.tier !== undefined && caller !== null && !reaches(caller.tier, definition.tier)) {
    throw fail('tier_too_low', { required_tier: definition.tier, current_tier: caller.tier })
  }
}

function takesBody(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD'
}

/** Failures any endpoint of that declaration can answer a method with, because a stage throws them. */
export function stageFailures(definition: Definition, method: string): FailureName[] {
  const { auth, capability, tier } = definition
  const names: FailureName[] = ['invalid_request', 'internal_error', 'unavailable']
  if (definition.limit !== null) names.push('rate_limited')
  if (auth === 'optional') names.push('session_invalid', 'beak_key_invalid')
  if (auth === 'session' || auth === 'session-or-agent') {
    names.push('session_invalid', 'beak_key_invalid', 'agent_not_bonded', 'agent_not_allowed')
  }
  if (auth === 'beak-key' || auth === 'bonded-key') names.push('beak_key_invalid', 'agent_not_bonded')
  if (capability !== undefined) names.push('capability_missing')
  if (tier !== undefined) names.push('tier_too_low')
  if (takesBody(method)) names.push('body_too_large', 'media_type_unsupported')
  return names
}

async function refuse(call: Call, error: unknown): Promise<Response> {
  const { definition, context, headers } = call
  const requestId = context.requestId ?? ''
  let failure = asFailure(error, requestId)
  const expected = [...(definition.failures ?? []), ...stageFailures(definition, call.request.method)]
  if (!expected.includes(failure.failure)) {
    failure = asFailure(new Error(`${definition.summary}: undeclared failure ${failure.failure}`), requestId)
  }
  try {
    await recordRefusal(definition, context, failure)
  } catch (cause) {
    failure = asFailure(cause, requestId)
  }
  return problem(failure, requestId, headers)
}

/** What is neither an attempt at anything nor worth a write: broken requests, the limiter's own refusals, outages. */
const unrecorded = new Set<FailureName>([
  'invalid_request',
  'rate_limited',
  'webhook_busy',
  'body_too_large',
  'media_type_unsupported',
])

/** Writes the refused attempt into the log of the duckling it concerns (contract A). */
async function recordRefusal(definition: Definition, context: Context, failure: Failure): Promise<void> {
  const { concern } = failure
  if (concern === 'recorded' || unrecorded.has(failure.failure)) return
  const { code } = failureTable[failure.failure]
  if (errorCodes[code].status >= 500) return
  const kind = (concern?.event ?? definition.attempt) as EventKind | undefined
  const ducklingId = concern?.ducklingId ?? context.caller?.id
  if (kind === undefined || ducklingId === undefined) return
  if (concern?.note !== undefined) return concern.note(context)
  await transaction(async (tx) => {
    await record(tx, context, kind, {
      concerning: [ducklingId],
      outcome: 'denied',
      metadata: { code, failure: failure.failure, ...concern?.metadata },
    })
  })
}
