/**
 * `Idempotency-Key` (contract A, Repeated requests; IETF draft-ietf-httpapi-idempotency-key-header). The first call with a key claims its row.
 * The transaction of its command also stores the answer in that row: either both are there afterwards, or none. A call that has lost its
 * claim cannot commit.
 */

import type { z } from 'zod'
import { database, db, type Tx } from '@/lib/db/client'
import { settleClock } from '@/lib/db/service-clock'
import { concluding } from '@/lib/db/transaction'
import { type ProofFailure, proofFailures, requireProof } from '@/lib/domain/sessions/proof'
import type { DucklingContext } from '@/lib/kernel/request/context'
import { errorCodes, Failure, type FailureName, fail, failureTable } from '@/lib/kernel/request/failures'
import { readClock } from '@/lib/kernel/runtime/clock'
import { recordLatency } from '@/lib/kernel/runtime/latency'
import { log } from '@/lib/kernel/runtime/log'
import { observer } from '@/lib/kernel/runtime/observer'
import { answerRequest } from './adapters'
import { clientAddress } from './address'
import { admit, recordRefusal } from './admit'
import { baseHeaders, hintAt, problem, succeed, succeedInSlices, toFailure } from './answer'
import { type Auth, takesAgents } from './auth'
import { type Answer, type Call, type CallContext, requestIdOf } from './call'
import { alwaysNeedsProof } from './changes'
import { claimKey, releaseClaim, storeAnswer } from './claims'
import type { Definition, Gate, Input } from './definition'
import { type emptyObject, readInput } from './input'
import { browserOf } from './language'
import { withCost } from './work'

/** A quoted string of RFC 9651, section 3.3.3, without spaces. */
const quoted = /^"((?:[\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/

/** Returns the key of a call, or null without the header. Throws `invalid_request`. */
export function readIdempotencyKey(headers: Call['headers']): string | null {
  const given = headers['idempotency-key']
  if (given === undefined) return null
  const key = given.startsWith('"') ? quoted.exec(given)?.[1]?.replace(/\\(.)/g, '$1') : given
  if (key !== undefined && /^[\x21-\x7e]{1,255}$/.test(key)) return key
  const message = 'must be 1 to 255 visible ASCII characters, bare or as a quoted string'
  throw fail('invalid_request', { errors: [{ field: 'Idempotency-Key', message }] })
}

/**
 * Returns the answer to a result that a transaction is about to commit, or null when it must not be stored: a failure that passes with time,
 * or the result of a step before the last one.
 */
function answerTo(definition: Definition, result: unknown, { requestId }: CallContext): Answer | null {
  if (result instanceof Failure) {
    const { status } = errorCodes[failureTable[result.failure].code]
    return status === 429 || status >= 500 ? null : problem(result, requestId, {})
  }
  return definition.response.safeParse(result).success ? succeed(definition, result, {}) : null
}

/**
 * Answers a call with a key. The first call runs the handler. Its answer is stored if it has changed something: a success, or a refusal that
 * was committed, such as a wrong code that counts. Later calls get that answer. A call that has changed nothing releases the key.
 */
async function answerOnce(
  definition: Definition,
  key: string,
  context: CallContext,
  input: Input<unknown, unknown>,
  headers: Answer['headers'],
): Promise<Answer> {
  const claim = await claimKey(definition, key, context, input.body)
  if ('status' in claim) {
    if (claim.status === 200) await definition.checkReplay?.(context as never, input)
    Object.assign(headers, claim.headers, { 'Idempotency-Replayed': 'true' })
    return { ...claim, headers }
  }
  const stored: { result: unknown; answer: Answer | null } = { result: null, answer: null }
  const conclude = (tx: Tx, result: unknown) => {
    const answer = answerTo(definition, result, context)
    if (answer !== null) storeAnswer(tx, claim, answer, context.now)
    Object.assign(stored, { result, answer })
  }
  try {
    const result = await concluding(conclude, () => definition.handle(context as never, input))
    if (stored.answer === null || stored.result !== result)
      throw new Error(`${definition.operationId} must return the result of its last transaction`)
    Object.assign(headers, stored.answer.headers)
    return { ...stored.answer, headers }
  } catch (error) {
    await releaseClaim(claim, context)
    throw error
  }
}

/**
 * The core of the API. An endpoint is declared (`definition.ts`); each call goes through the same stages, in this order: limit,
 * authentication, capability and tier, input, idempotency key, handler, projection, answer. A refused attempt at a change is recorded.
 */

/** The JSON types that an endpoint receives and returns. */
export interface Wire {
  body: unknown
  query: unknown
  response: unknown
}

export interface Endpoint<W extends Wire = Wire> {
  /** Answers a web `Request`, as Next's route handlers do. */
  (request: Request): Promise<Response>
  definition: Definition
  answer(call: Call, parameter?: string): Promise<Answer>
  /** Never set. It only carries the types. */
  wire?: W
}

/** Returns the endpoint of a declaration. The response schema is applied, so only fields in the schema are sent. */
export function endpoint<
  A extends Auth,
  R extends z.ZodType,
  F extends FailureName = never,
  B extends z.ZodType = typeof emptyObject,
  Q extends z.ZodType = typeof emptyObject,
>(
  declared: Definition<A, F, B, Q, R>,
): Endpoint<{ body: z.input<B>; query: z.input<Q>; response: z.output<R> }> {
  const definition = withCost(withProof(declared as unknown as Definition))
  const answer = (call: Call, parameter = '') => run(definition, call, parameter)
  return Object.assign((request: Request) => answerRequest(request, answer), { definition, answer })
}

/** Asks for a recent proof before the handler of a sensitive change runs, and not again when an answer is replayed. */
function withProof(definition: Definition): Definition {
  if (!alwaysNeedsProof(definition.operationId)) return definition
  return {
    ...definition,
    failures: [...new Set([...(definition.failures ?? []), ...proofFailures])],
    handle: async (context, input) => {
      if (context.caller?.type === 'duckling')
        await requireProof(db(), context as unknown as DucklingContext<ProofFailure>)
      return definition.handle(context, input)
    },
  }
}

async function run(definition: Definition, call: Call, parameter: string): Promise<Answer> {
  const started = performance.now()
  // Null unless the clock has jumped.
  const settling = definition.withoutDatabase ? null : settleClock(database)
  if (settling !== null) await settling
  const context = contextOf(call)
  const headers = baseHeaders(context.requestId)
  let answer: Answer
  try {
    await admit(definition, call, context, headers)
    const reading = readInput(definition, call, parameter)
    const input = reading instanceof Promise ? await reading : reading
    // A client can hold back its body and read meanwhile. What it has read must not be later than what the command sees.
    context.now = readClock()
    const key = definition.idempotencyKey ? readIdempotencyKey(call.headers) : null
    answer =
      key === null
        ? await succeedWith(definition, await definition.handle(context as never, input), headers)
        : await answerOnce(definition, key, context, input, headers)
  } catch (error) {
    answer = await refuse(definition, context, error, headers)
    if (answer.status === 401 && takesAgents(definition.auth)) hintAt('beak', headers)
  }
  const milliseconds = performance.now() - started
  observer()?.call(definition, answer.status, milliseconds)
  logCall(call, context, answer.status, milliseconds)
  return answer
}

const succeedWith = (...answer: Parameters<typeof succeed>) =>
  answer[0].cost === undefined ? succeed(...answer) : succeedInSlices(...answer)

/** Returns the answer for an error, and records a refused attempt. Adds to `headers`. */
export async function refuse(
  gate: Gate,
  context: CallContext,
  error: unknown,
  headers: Answer['headers'],
): Promise<Answer> {
  let failure = toFailure(error, context.requestId)
  try {
    await recordRefusal(gate, context, failure)
  } catch (cause) {
    failure = toFailure(cause, context.requestId)
  }
  return problem(failure, context.requestId, headers)
}

/** Returns the context of a call, without a caller. */
export function contextOf(call: Call): CallContext {
  return {
    now: readClock(),
    requestId: requestIdOf(call.headers),
    ip: clientAddress(call),
    // Limits what a client can write into the log.
    userAgent: call.headers['user-agent']?.slice(0, 256) ?? null,
    readBrowser: () => browserOf(call.headers),
    caller: null,
    fail,
  }
}

function logCall(call: Call, { requestId, ip, caller }: CallContext, status: number, ms: number): void {
  recordLatency(ms)
  log().info({
    request_id: requestId,
    method: call.method,
    path: call.path,
    status,
    ms: Math.round(ms * 10) / 10,
    ip,
    // Undefined members are not written.
    caller: caller?.type === 'duckling' ? caller.id : caller?.agentId,
  })
}
