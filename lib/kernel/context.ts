/** The context of a command: time, request and caller. Made once per request, or by the worker. */

export const tiers = ['T0', 'T1', 'T2', 'T3'] as const
export type Tier = (typeof tiers)[number]

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
}

export type Caller = SessionCaller | AgentCaller | KeyCaller | null

export interface Context<C extends Caller = Caller> {
  now: Date
  requestId: string | null
  ip: string | null
  userAgent: string | null
  caller: C
}

export type DucklingContext = Context<SessionCaller>
export type AnonymousContext = Context<null>
export type OperatorContext = Context<SessionCaller | AgentCaller>
export type KeyContext = Context<KeyCaller>

/** Tells whether `tier` is at least `required`. */
export function reaches(tier: Tier, required: Tier): boolean {
  return tiers.indexOf(tier) >= tiers.indexOf(required)
}

export function lowerTier(left: Tier, right: Tier): Tier {
  return reaches(left, right) ? right : left
}

/** Returns the context of work without a request: by the worker, the seed and command lines. */
export function systemContext(now: Date): AnonymousContext {
  return { now, requestId: null, ip: null, userAgent: null, caller: null }
}
