/** The kinds of callers that an endpoint can ask for. */
import type { Rate } from '@/lib/kernel/config/limits'
import type { AgentCaller, KeyCaller, SessionCaller } from '@/lib/kernel/request/context'

export type Auth = 'none' | 'optional' | 'session' | 'session-or-agent' | 'beak-key' | 'bonded-key'

/** Whether callers of this kind can be agents. */
export const takesAgents = (auth: Auth) => auth !== 'none' && auth !== 'session'

export interface CallerOf {
  none: null
  /** Null without a credential, and for a valid key of an agent that is not bonded. */
  optional: SessionCaller | AgentCaller | null
  session: SessionCaller
  'session-or-agent': SessionCaller | AgentCaller
  /** A valid key in a header. The agent may be unbonded. */
  'beak-key': KeyCaller
  /** A valid key of a bonded agent. */
  'bonded-key': AgentCaller
}

export interface Identified<A extends Auth> {
  caller: CallerOf[A]
  rate: Rate | null
  /** False for an account that has not proved its address, and for its agents. */
  isProved: boolean
}
