/** The declaration of an endpoint. The core, the API reference and typed callers are derived from it. */
import type { z } from 'zod'
import type { EventKind } from '@/lib/infrastructure/events/kinds'
import type { DailyLimitGroup, LimitGroup } from '@/lib/kernel/config/limits'
import type { Context } from '@/lib/kernel/request/context'
import type { FailureName } from '@/lib/kernel/request/failures'
import type { Tier } from '@/lib/kernel/request/tier'
import type { Auth, CallerOf } from './auth'
import type { Deprecation } from './deprecation'

/** The failures that authentication can answer with, by the kind of caller that an endpoint asks for. */
const authFailures = {
  none: [],
  optional: ['session_invalid', 'beak_key_invalid', 'address_unproved', 'account_suspended'],
  session: [
    'session_invalid',
    'beak_key_invalid',
    'agent_not_bonded',
    'agent_not_allowed',
    'address_unproved',
    'account_suspended',
  ],
  'session-or-agent': [
    'session_invalid',
    'beak_key_invalid',
    'agent_not_bonded',
    'agent_not_allowed',
    'address_unproved',
    'account_suspended',
  ],
  'beak-key': ['beak_key_invalid', 'agent_not_bonded', 'address_unproved', 'account_suspended'],
  'bonded-key': ['beak_key_invalid', 'agent_not_bonded', 'address_unproved', 'account_suspended'],
} as const satisfies Record<Auth, readonly FailureName[]>

const commonFailures = ['invalid_request', 'internal_error', 'unavailable'] as const

/** Failures that a handler may throw without declaring them: each endpoint with this authentication has them. */
type StageFailure<A extends Auth> = (typeof authFailures)[A][number] | (typeof commonFailures)[number]

export interface Input<B, Q> {
  body: B
  query: Q
  /** The value of the parameter at the end of the path. Empty for a path without a parameter. */
  parameter: string
  /** Returns a request header by its lower-case name. */
  header(name: string): string | null
  /** Aborts when the client disconnects. */
  signal: AbortSignal
}

export interface Definition<
  A extends Auth = Auth,
  F extends FailureName = FailureName,
  B extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
> {
  /** The name of the method that clients have for this. */
  operationId: string
  /** One line in the API reference. */
  summary: string
  /** The text below the summary in the API reference, in Markdown. */
  description?: string
  /** Paragraphs below the description, with rules that a caller meets later. Only the API reference has them: the clients do without. */
  remarks?: readonly string[]
  auth: A
  /** The capability that an agent needs to call this. */
  capability?: string
  /**
   * The bucket that a call takes a token from. `authenticated` is the caller's own bucket, or the address's `anonymous` bucket
   * for a call without a credential. Null for health probes.
   */
  limit: LimitGroup | null
  /**
   * How many tokens a call costs, by the work that its input may cause: about one for 5 ms of CPU. Default: 1. A call of `heavyTokens` or more runs
   * in a place of its account (`places.ts`).
   */
  cost?: (input: Pick<Input<z.output<B>, z.output<Q>>, 'body' | 'query'>) => number
  /** A budget of the day that a call takes a token from too, by address. */
  budget?: DailyLimitGroup
  /** An account that has not proved its address may call this, also where not everybody may sign up (contract E, Who may sign up). */
  allowsUnproved?: true
  /** The lowest tier that may call this. */
  tier?: Tier
  body?: B
  query?: Q
  /** Request headers that the handler reads, with a description for the API reference. */
  headers?: Record<string, string>
  /**
   * Accepts `Idempotency-Key`. For every operation that creates, changes or spends something, unless "Repeated requests" in docs/contract.md
   * names the reason why not. `handle` must return the result of its last transaction, because the answer is stored in that transaction.
   */
  idempotencyKey?: true
  /**
   * Throws when the stored success of an earlier call must not be returned any more, because what it says is no longer true. Called before
   * a success is replayed.
   */
  checkReplay?: (
    context: Context<CallerOf[A], NoInfer<F> | StageFailure<A>>,
    input: Input<z.output<B>, z.output<Q>>,
  ) => Promise<void>
  response: R
  /** Media type of the answer when it is not JSON. `handle` then returns a string, bytes or a stream. */
  media?:
    | 'text/event-stream'
    | 'application/vc+jwt'
    | 'text/plain; charset=utf-8'
    | 'application/octet-stream'
  /** The failures that `handle` may throw besides those of the stages. Throwing any other is a type error. */
  failures?: readonly F[]
  /** The event to record as denied when a call is refused. None for reads. */
  attempt?: EventKind
  /** The endpoint also answers while the database is not open. */
  withoutDatabase?: true
  /** Set when the endpoint will go away. Every answer and the API reference say so. */
  deprecated?: Deprecation
  /** Headers that replace the usual ones on success. */
  responseHeaders?: Record<string, string>
  handle: (
    context: Context<CallerOf[A], NoInfer<F> | StageFailure<A>>,
    input: Input<z.output<B>, z.output<Q>>,
  ) => Promise<z.input<R>> | z.input<R>
}

/** What decides whether a call is allowed, and how a refused one is recorded. */
export type Gate = Pick<
  Definition,
  'auth' | 'capability' | 'limit' | 'budget' | 'allowsUnproved' | 'tier' | 'attempt' | 'deprecated'
>

/** Returns the failures that the stages before the handler can answer a method with. */
export function stageFailures(
  definition: Pick<Definition, 'auth' | 'limit' | 'capability' | 'tier' | 'idempotencyKey'>,
  method: string,
): FailureName[] {
  const names: FailureName[] = [...commonFailures, ...authFailures[definition.auth]]
  if (definition.limit !== null) names.push('rate_limited')
  if (definition.capability !== undefined) names.push('capability_missing')
  if (definition.tier !== undefined) names.push('tier_too_low')
  if (takesBody(method)) names.push('body_too_large', 'unsupported_media_type')
  if (definition.idempotencyKey)
    names.push('idempotency_key_busy', 'answer_not_stored', 'idempotency_key_reused')
  return names
}

export function takesBody(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD'
}
