import { transaction } from '@/lib/db/transaction'
import { lockLiveAgent, readAgent } from '@/lib/domain/agents/read'
import type { AgentInput } from '@/lib/domain/agents/schema'
import { compareRenamedAsker } from '@/lib/domain/pecks/request/renamed-asker'
import { announceChange } from '@/lib/domain/sessions/announce-change'
import { type ProofFailure, requireProof } from '@/lib/domain/sessions/proof'
import { record } from '@/lib/infrastructure/events/record'
import type { DucklingContext } from '@/lib/kernel/context'

export interface AgentChange {
  name: string | undefined
  allowQueryKey: boolean | undefined
}

/**
 * Changes the given settings of an agent. Capabilities cannot be changed: for more capabilities, the owner registers another agent with
 * its own key. Throws `agent_not_found`, `agent_status_conflict`, or the failures of `requireProof` when the key is allowed in addresses.
 */
export function updateAgent(
  context: DucklingContext<'agent_not_found' | 'agent_status_conflict' | ProofFailure>,
  agentId: string,
  change: AgentChange,
): Promise<AgentInput> {
  return transaction(async (tx) => {
    const agent = await lockLiveAgent(tx, context, agentId)
    const allowsInAddresses = change.allowQueryKey === true && !agent.allowQueryKey
    if (allowsInAddresses) await requireProof(tx, context)
    const next = {
      name: change.name ?? agent.name,
      allowQueryKey: change.allowQueryKey ?? agent.allowQueryKey,
    }
    await tx.agent.update({ where: { id: agentId }, data: next })
    if (next.name !== agent.name)
      await compareRenamedAsker(tx, { ducklingId: agent.ducklingId, agentId }, context.now)
    record(tx, context, 'agent.updated', {
      targets: [{ type: 'agent', id: agentId }],
      metadata: { agent_name: next.name, allow_query_key: next.allowQueryKey },
    })
    if (allowsInAddresses) announceChange(tx, context, 'key_in_addresses', next.name)
    return readAgent(tx, agentId)
  })
}
