import { transaction } from '@/lib/db/transaction'
import { type ProofFailure, requireProof } from '@/lib/domain/sessions/proof'
import { rememberChange } from '@/lib/domain/sessions/recent-changes'
import { enqueueNotice } from '@/lib/infrastructure/events/notices'
import { record } from '@/lib/infrastructure/events/record'
import type { DucklingContext } from '@/lib/kernel/context'
import { type MintedHandshake, makeHandshake } from './handshake'
import { makeKey, retireKey } from './make-key'
import { lockLiveAgent } from './read'

export interface Rotated extends Partial<MintedHandshake> {
  agent_id: string
  key_id: string
  beak_key: string
  expires_at: Date
}

/**
 * Creates a new key for an agent and retires the old one in the same transaction. An agent that has not bonded also gets a new
 * handshake token, because somebody who has the old key may have the old token too. Throws `agent_not_found`, `agent_status_conflict`, or
 * `ProofFailure`.
 */
export function rotateKey(
  context: DucklingContext<ProofFailure | 'agent_not_found' | 'agent_status_conflict'>,
  agentId: string,
  lifetimeDays: number,
): Promise<Rotated> {
  const { caller, now } = context
  return transaction(async (tx) => {
    await requireProof(tx, context)
    const agent = await lockLiveAgent(tx, context, agentId)
    const retiredKeyId = await retireKey(tx, agentId, now)
    const { keyId, beakKey, expiresAt } = await makeKey(tx, context, agentId, lifetimeDays)
    const handshake = agent.bondedAt === null ? await makeHandshake(tx, context, agentId) : {}
    record(tx, context, 'key.rotated', {
      targets: [
        { type: 'agent', id: agentId },
        { type: 'key', id: keyId },
      ],
      metadata: { retired_key_id: retiredKeyId },
      data: {
        agent_id: agentId,
        key_id: keyId,
        retired_key_id: retiredKeyId,
        expires_at: expiresAt,
      },
    })
    rememberChange(tx, context, 'key_rotated', agent.name)
    enqueueNotice(tx, now, caller.id, 'key_rotated', {
      agent: agent.name,
      at: now.toISOString(),
      session: caller.sessionId,
    })
    return { agent_id: agentId, key_id: keyId, beak_key: beakKey, expires_at: expiresAt, ...handshake }
  })
}
