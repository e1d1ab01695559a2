import { transaction } from '@/lib/db/transaction'
import { record } from '@/lib/infrastructure/events/record'
import type { DucklingContext } from '@/lib/kernel/context'
import { lockLiveAgent, readAgent } from './read'
import type { AgentInput } from './schema'

export interface AgentChange {
  name: string | undefined
  allowQueryKey: boolean | undefined
}

/**
 * Changes the given settings of an agent. Capabilities cannot be changed: for more capabilities, the owner registers another agent with
 * its own key. Throws `agent_not_found` or `agent_status_conflict`.
 */
export function updateAgent(
  context: DucklingContext<'agent_not_found' | 'agent_status_conflict'>,
  agentId: string,
  change: AgentChange,
): Promise<AgentInput> {
  return transaction(async (tx) => {
    const agent = await lockLiveAgent(tx, context, agentId)
    const next = {
      name: change.name ?? agent.name,
      allowQueryKey: change.allowQueryKey ?? agent.allowQueryKey,
    }
    await tx.agent.update({ where: { id: agentId }, data: next })
    record(tx, context, 'agent.updated', {
      targets: [{ type: 'agent', id: agentId }],
      metadata: { agent_name: next.name, allow_query_key: next.allowQueryKey },
    })
    return readAgent(tx, agentId)
  })
}
