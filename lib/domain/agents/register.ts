import { lockName, transaction } from '@/lib/db/transaction'
import { record } from '@/lib/infrastructure/events/record'
import type { DucklingContext } from '@/lib/kernel/context'
import { newId } from '@/lib/kernel/ids'
import { type MintedHandshake, makeHandshake } from './handshake'
import { keyLifetimeDays, makeKey } from './make-key'
import { agentFacts, liveStatuses } from './schema'

const liveAgentsMax = 25

export interface Registration {
  name: string
  type: string
  capabilities: string[]
  /** Whether the agent's key is accepted in the query string. */
  allowQueryKey: boolean
}

export interface Registered extends MintedHandshake {
  agent_id: string
  agent_name: string
  agent_type: string
  capabilities: string[]
  status: 'registered'
  beak_key: string
  key_id: string
  key_expires_at: Date
}

/**
 * Registers an agent of the caller. The plain key and handshake token are only in the answer. The key's tier scope is the caller's
 * current tier. Throws `too_many_agents`.
 */
export function registerAgent(
  context: DucklingContext<'too_many_agents'>,
  input: Registration,
): Promise<Registered> {
  const { caller, now } = context
  return transaction(async (tx) => {
    await lockName(tx, `agents:${caller.id}`)
    const live = await tx.agent.count({ where: { ducklingId: caller.id, status: { in: liveStatuses } } })
    if (live >= liveAgentsMax) throw context.fail('too_many_agents')
    const id = newId('agent', now)
    const agent = await tx.agent.create({
      data: {
        id,
        ducklingId: caller.id,
        status: 'registered',
        createdAt: now,
        sessionId: caller.sessionId,
        ...input,
      },
    })
    const { keyId, beakKey, expiresAt } = await makeKey(tx, context, id, keyLifetimeDays)
    const handshake = await makeHandshake(tx, context, id)
    record(tx, context, 'agent.registered', {
      targets: [
        { type: 'agent', id },
        { type: 'key', id: keyId },
      ],
      metadata: { agent_name: agent.name, agent_type: agent.type, capabilities: agent.capabilities },
      data: agentFacts(agent),
    })
    return {
      agent_id: id,
      agent_name: agent.name,
      agent_type: agent.type,
      capabilities: agent.capabilities,
      status: 'registered',
      beak_key: beakKey,
      key_id: keyId,
      key_expires_at: expiresAt,
      ...handshake,
    }
  })
}
