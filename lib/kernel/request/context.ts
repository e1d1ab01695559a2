/** The context of a command: time, request and caller. Made once per request, or by the worker. */
import {
  type Concern,
  type Failure,
  type FailureExtras,
  type FailureName,
  fail,
  type OwnRecord,
} from './failures'
import type { Origin } from './origin'
import type { Tier } from './tier'

/** A signed-in duckling. `id` is the id of the duckling. */
export interface SessionCaller {
  type: 'duckling'
  id: string
  /** Read from the database in this request, not from the token. */
  tier: Tier
  sessionId: string
  authTime: Date
  amr: string[]
  /** When a passkey last confirmed this session. Null if no passkey has. */
  passkeyAt: Date | null
}

/** A bonded agent with a valid key. `id` is the duckling id of its operator, in whose account the agent acts. */
export interface AgentCaller {
  type: 'agent'
  id: string
  agentId: string
  /** The key of this call. */
  keyId: string
  /** The lower of the key's tier scope and the operator's current tier. */
  tier: Tier
  capabilities: string[]
}

/** A valid beak key whose agent may not be bonded yet. The bonding ceremony starts with it. */
export interface KeyCaller {
  type: 'key'
  id: string
  agentId: string
  keyId: string
  tier: Tier
  /** Whether the agent may act. False when it has not bonded, is suspended or is deregistered. */
  isBonded: boolean
}

export type Caller = SessionCaller | AgentCaller | KeyCaller | null

/**
 * Makes the failures that a function may throw: `throw context.fail('peck_not_found')`. A function names them in the type of its
 * parameter, so a caller that does not allow one of them does not compile. An endpoint allows the failures that it declares.
 */
export interface Fails<F extends FailureName> {
  readonly fail: (failure: F, extras?: FailureExtras, concern?: Concern | OwnRecord) => Failure
}

/** What the audit log records of a call. */
export interface CallerContext<C extends Caller = Caller> extends Origin {
  caller: C
  /** A command of the host acts in the caller's account. Its events name the host as the actor. */
  byHost?: true
}

/** `F` names the failures that a command with this context may throw. */
export interface Context<C extends Caller = Caller, F extends FailureName = never>
  extends CallerContext<C>,
    Fails<F> {}

export type DucklingContext<F extends FailureName = never> = Context<SessionCaller, F>
export type AnonymousContext<F extends FailureName = never> = Context<null, F>
export type OperatorContext<F extends FailureName = never> = Context<SessionCaller | AgentCaller, F>
export type KeyContext<F extends FailureName = never> = Context<KeyCaller, F>

/** Returns the context of work without a request: of the worker, the seed and the command lines. */
export function systemContext(now: Date): AnonymousContext<FailureName> {
  return { now, requestId: null, ip: null, userAgent: null, caller: null, fail }
}

/**
 * Returns the context of a command of the host in the account of another person: as if the owner called, without a session, and with events
 * that name the host.
 */
export function hostContext(
  { id, trustTier: tier }: { id: string; trustTier: Tier },
  now: Date,
): DucklingContext<FailureName> {
  const caller: SessionCaller = {
    type: 'duckling',
    id,
    tier,
    sessionId: '',
    authTime: now,
    amr: [],
    passkeyAt: null,
  }
  return { ...systemContext(now), caller, byHost: true }
}
