import { transaction } from '@/lib/db/transaction'
import { record } from '@/lib/infrastructure/events/record'
import { signal } from '@/lib/infrastructure/events/signals'
import type { DucklingContext } from '@/lib/kernel/context'
import { lockAgent, readAgent, wrongState } from './read'
import { type AgentInput, agentFacts } from './schema'

/**
 * Suspends an agent until it is resumed. Its key, pecks and grants are not ended, but do not work while it is suspended (contract D3).
 * Throws `agent_not_found` or `agent_status_conflict`.
 */
export function suspendAgent(
  context: DucklingContext<'agent_not_found' | 'agent_status_conflict'>,
  agentId: string,
): Promise<AgentInput> {
  const { now } = context
  return transaction(async (tx) => {
    const agent = await lockAgent(tx, context, agentId)
    const { count } = await tx.agent.updateMany({
      where: { id: agentId, status: { in: ['registered', 'bonded'] } },
      data: { status: 'suspended', suspendedAt: now },
    })
    if (count !== 1) throw wrongState(context, agent)
    signal(tx, agentId)
    record(tx, context, 'agent.suspended', {
      targets: [{ type: 'agent', id: agentId }],
      counts: { bonded_agents: agent.status === 'bonded' ? -1 : 0 },
      data: agentFacts({ ...agent, status: 'suspended' }),
    })
    return readAgent(tx, agentId)
  })
}
