import { transaction } from '@/lib/db/transaction'
import { announceChange } from '@/lib/domain/sessions/announce-change'
import { type ProofFailure, requireProof } from '@/lib/domain/sessions/proof'
import { record } from '@/lib/infrastructure/events/record'
import type { DucklingContext } from '@/lib/kernel/context'
import { type MintedHandshake, makeHandshake } from './handshake'
import { lockLiveAgent, wrongState } from './read'

/**
 * Creates a new handshake token for an agent that has not bonded, and deletes the old one. Throws `agent_not_found`, or
 * `agent_status_conflict` when the agent has bonded. Throws `ProofFailure` when another session registered the agent and the caller has no
 * recent proof.
 */
export function renewHandshake(
  context: DucklingContext<ProofFailure | 'agent_not_found' | 'agent_status_conflict'>,
  agentId: string,
): Promise<MintedHandshake & { agent_id: string }> {
  return transaction(async (tx) => {
    const agent = await lockLiveAgent(tx, context, agentId)
    const isOther = agent.sessionId !== context.caller.sessionId
    if (isOther) await requireProof(tx, context)
    if (agent.bondedAt !== null) throw wrongState(context, agent)
    const handshake = await makeHandshake(tx, context, agentId)
    record(tx, context, 'agent.handshake_made', { targets: [{ type: 'agent', id: agentId }] })
    if (isOther) announceChange(tx, context, 'handshake_made', agent.name)
    return { agent_id: agentId, ...handshake }
  })
}
