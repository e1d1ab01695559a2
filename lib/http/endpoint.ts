/**
 * The core of the API. An endpoint is declared (`definition.ts`); each call goes through the same stages, in this order: limit,
 * authentication, capability and tier, input, idempotency key, handler, projection, answer. A refused attempt at a change is recorded.
 */

import type { z } from 'zod'
import { database, db } from '@/lib/db/client'
import { settleClock } from '@/lib/db/service-clock'
import { type ProofFailure, proofFailures, requireProof } from '@/lib/domain/sessions/proof'
import { readClock } from '@/lib/kernel/clock'
import type { DucklingContext } from '@/lib/kernel/context'
import { type FailureName, fail } from '@/lib/kernel/failures'
import { recordLatency } from '@/lib/kernel/latency'
import { log } from '@/lib/kernel/log'
import { observer } from '@/lib/kernel/observer'
import { clientAddress } from './address'
import { admit } from './admit'
import { baseHeaders, problem, succeed, succeedInSlices, toFailure } from './answer'
import type { Auth } from './auth'
import { browserOf } from './browser'
import { type Answer, type Call, type CallContext, requestIdOf } from './call'
import { alwaysNeedsProof } from './changes'
import type { Definition, Gate } from './definition'
import { answerOnce, readIdempotencyKey } from './idempotency'
import { type emptyObject, readInput } from './input'
import { recordRefusal } from './record-refusal'
import { answerRequest } from './web-adapter'
import { withCost } from './work'

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
