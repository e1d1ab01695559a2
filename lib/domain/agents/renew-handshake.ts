import { transaction } from '@/lib/db/transaction'
import { type ProofFailure, requireProof } from '@/lib/domain/sessions/proof'
import { record } from '@/lib/infrastructure/events/record'
import type { DucklingContext } from '@/lib/kernel/context'
import { type MintedHandshake, makeHandshake } from './handshake'
import { lockLiveAgent, wrongState } from './read'

/**
 * A new handshake token for an agent that has not bonded; the old one dies. Throws `agent_missing`, or `agent_wrong_state` once
 * the agent has bonded; where another session registered the agent also what `requireProof` does.
 */
export function renewHandshake(
  context: DucklingContext<ProofFailure | 'agent_missing' | 'agent_wrong_state'>,
  agentId: string,
): Promise<MintedHandshake & { agent_id: string }> {
  return transaction(async (tx) => {
    const agent = await lockLiveAgent(tx, context, agentId)
    if (agent.sessionId !== context.caller.sessionId) await requireProof(tx, context)
    if (agent.bondedAt !== null) throw wrongState(context, agent)
    const handshake = await makeHandshake(tx, context, agentId)
    await record(tx, context, 'agent.handshake_made', { targets: [{ type: 'agent', id: agentId }] })
    return { agent_id: agentId, ...handshake }
  })
}
