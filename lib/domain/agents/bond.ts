import { transaction } from '@/lib/db/transaction'
import { record } from '@/lib/infrastructure/events/record'
import type { KeyContext } from '@/lib/kernel/context'
import { spendHandshake } from './handshake'
import { lockAgent, readAgent, wrongState } from './read'
import { refuseKey } from './refuse-key'
import { type AgentInput, agentFacts } from './schema'

/**
 * Bonds an agent that shows its key and the handshake token from its operator. Throws `beak_key_invalid` when the key belongs to
 * another agent, `agent_not_found`, `agent_status_conflict` when the agent is not `registered`, or `handshake_token_invalid`.
 */
export function bondAgent(
  context: KeyContext<
    'beak_key_invalid' | 'agent_not_found' | 'agent_status_conflict' | 'handshake_token_invalid'
  >,
  agentId: string,
  handshakeToken: string,
): Promise<AgentInput> {
  const { caller, now } = context
  const key = { ...caller, ducklingId: caller.id }
  if (agentId !== caller.agentId) throw refuseKey(context, key, 'other_agent')
  return transaction(async (tx) => {
    const agent = await lockAgent(tx, context, agentId)
    if (agent.status !== 'registered') throw wrongState(context, agent)
    // Checked again under the lock of the agent, because the key may have been rotated since it was authenticated.
    const live = await tx.beakKey.findFirst({ where: { id: caller.keyId, activeFor: agentId } })
    if (!live) throw refuseKey(context, key, 'revoked')
    if (!(await spendHandshake(tx, agentId, handshakeToken, now)))
      throw context.fail('handshake_token_invalid')
    const { count } = await tx.agent.updateMany({
      where: { id: agentId, status: 'registered' },
      data: { status: 'bonded', bondedAt: now, lastSeenAt: now },
    })
    if (count !== 1) throw wrongState(context, agent)
    record(tx, context, 'agent.bonded', {
      targets: [
        { type: 'agent', id: agentId },
        { type: 'key', id: caller.keyId },
      ],
      counts: { bonded_agents: 1 },
      data: agentFacts({ ...agent, status: 'bonded' }),
    })
    return readAgent(tx, agentId)
  })
}
