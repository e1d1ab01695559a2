import { transaction } from '@/lib/db/transaction'
import { lockLiveAgent, readAgent } from '@/lib/domain/agents/read'
import type { AgentInput } from '@/lib/domain/agents/schema'
import type { DucklingContext } from '@/lib/kernel/context'
import { retireAgent } from './retire-agent'

export interface Deregistered extends AgentInput {
  retired_keys: string[]
  cancelled_pecks: string[]
  revoked_grants: string[]
  revoked_sso_tokens: string[]
  ended_rules: string[]
}

/** Deregisters an agent and returns what ended with it. Throws `agent_not_found` or `agent_status_conflict`. */
export function deregisterAgent(
  context: DucklingContext<'agent_not_found' | 'agent_status_conflict'>,
  agentId: string,
): Promise<Deregistered> {
  return transaction(async (tx) => {
    const agent = await lockLiveAgent(tx, context, agentId)
    const retired = await retireAgent(tx, context, agent)
    return {
      ...(await readAgent(tx, agentId)),
      retired_keys: retired.keyIds,
      cancelled_pecks: retired.cancelledPecks,
      revoked_grants: retired.revokedGrants,
      revoked_sso_tokens: retired.ssoTokens,
      ended_rules: retired.rules,
    }
  })
}
