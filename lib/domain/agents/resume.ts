import { transaction } from '@/lib/db/transaction'
import { announceChange } from '@/lib/domain/sessions/announce-change'
import { record } from '@/lib/infrastructure/events/record'
import type { DucklingContext } from '@/lib/kernel/context'
import { lockAgent, readAgent, wrongState } from './read'
import type { AgentInput } from './schema'

/**
 * Resumes a suspended agent: it is bonded again, or registered when it has never bonded. Throws `agent_not_found` or
 * `agent_status_conflict`.
 */
export function resumeAgent(
  context: DucklingContext<'agent_not_found' | 'agent_status_conflict'>,
  agentId: string,
): Promise<AgentInput> {
  return transaction(async (tx) => {
    const agent = await lockAgent(tx, context, agentId)
    const status = agent.bondedAt === null ? 'registered' : 'bonded'
    const { count } = await tx.agent.updateMany({
      where: { id: agentId, status: 'suspended' },
      data: { status, suspendedAt: null, suspendReason: null },
    })
    if (count !== 1) throw wrongState(context, agent)
    record(tx, context, 'agent.resumed', {
      targets: [{ type: 'agent', id: agentId }],
      metadata: { status },
      counts: { bonded_agents: status === 'bonded' ? 1 : 0 },
    })
    announceChange(tx, context, 'agent_resumed', agent.name)
    return readAgent(tx, agentId)
  })
}
