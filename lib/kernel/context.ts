/** What every command knows about the call it serves. Made once per request, or by the worker for its own work. */

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

/** Whether `tier` is at least `required`. */
export function reaches(tier: Tier, required: Tier): boolean {
  return tiers.indexOf(tier) >= tiers.indexOf(required)
}

/** The lower of two tiers. */
export function lowerTier(left: Tier, right: Tier): Tier {
  return reaches(left, right) ? right : left
}

/** The context of work nobody asked for just now: the worker's, the seed's, the command line's. */
export function systemContext(now: Date): AnonymousContext {
  return { now, requestId: null, ip: null, userAgent: null, caller: null }
}
