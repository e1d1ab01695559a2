/** What every command knows about the call that it serves. Made once for each request, or by the worker for its own work. */
import { type Concern, type Failure, type FailureExtras, type FailureName, fail } from './failures'

export const tiers = ['T0', 'T1', 'T2', 'T3'] as const
export type Tier = (typeof tiers)[number]

/** A signed-in duckling. `id` is the duckling's. */
export interface SessionCaller {
  type: 'duckling'
  id: string
  /** From the database at this request, not from the token. */
  tier: Tier
  sessionId: string
  authTime: Date
  amr: string[]
  /** When a passkey last confirmed this session; null if none has. */
  passkeyAt: Date | null
}

/** A bonded agent with a live key. `id` is the operator's duckling id: an agent acts within its operator. */
export interface AgentCaller {
  type: 'agent'
  id: string
  agentId: string
  /** The key that it called with. */
  keyId: string
  /** The lower of the key's tier scope and the operator's current tier. */
  tier: Tier
  capabilities: string[]
}

/** A beak key that is valid but whose agent need not be bonded yet: what the bonding ceremony starts from. */
export interface KeyCaller {
  type: 'key'
  id: string
  agentId: string
  keyId: string
  tier: Tier
}

export type Caller = SessionCaller | AgentCaller | KeyCaller | null

/**
 * Makes the failures that a function may throw: `throw context.fail('peck_missing')`. A function names them in the type of its
 * parameter, so a caller that does not allow one of them does not compile. An endpoint allows the failures that it declares.
 */
export interface Fails<F extends FailureName> {
  readonly fail: (failure: F, extras?: FailureExtras, concern?: Concern | 'recorded') => Failure
}

/** Where a call came from. `now` is read once for each call. */
export interface Origin {
  now: Date
  requestId: string | null
  ip: string | null
  userAgent: string | null
}

/** What the audit log records of a call. */
export interface CallerContext<C extends Caller = Caller> extends Origin {
  caller: C
}

/** `F` names the failures that a command with this context may throw. */
export interface Context<C extends Caller = Caller, F extends FailureName = never>
  extends CallerContext<C>,
    Fails<F> {}

export type DucklingContext<F extends FailureName = never> = Context<SessionCaller, F>
export type AnonymousContext<F extends FailureName = never> = Context<null, F>
export type OperatorContext<F extends FailureName = never> = Context<SessionCaller | AgentCaller, F>
export type KeyContext<F extends FailureName = never> = Context<KeyCaller, F>

/** Whether `tier` is at least `required`. */
export function reaches(tier: Tier, required: Tier): boolean {
  return tiers.indexOf(tier) >= tiers.indexOf(required)
}

/** The lower of two tiers. */
export function lowerTier(left: Tier, right: Tier): Tier {
  return reaches(left, right) ? right : left
}

/** Returns the context of work without a request: of the worker, the seed and the command lines. */
export function systemContext(now: Date): AnonymousContext<FailureName> {
  return { now, requestId: null, ip: null, userAgent: null, caller: null, fail }
}
