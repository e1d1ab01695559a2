import { lockName, transaction } from '@/lib/db/transaction'
import { announceChange } from '@/lib/domain/sessions/announce-change'
import { type ProofFailure, preparesOnly } from '@/lib/domain/sessions/proof'
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
  status: 'registered' | 'suspended'
  beak_key: string
  key_id: string
  key_expires_at: Date
}

/**
 * Registers an agent of the caller. The plain key and handshake token are only in the answer. The key's tier scope is the caller's
 * current tier. A session of the device flow only prepares the agent: it is suspended, and bonds only after its owner has resumed it
 * (contract F, Sensitive changes). Throws `too_many_agents` and the failures of `requireProof`.
 */
export function registerAgent(
  context: DucklingContext<'too_many_agents' | ProofFailure>,
  input: Registration,
): Promise<Registered> {
  const { caller, now } = context
  return transaction(async (tx) => {
    const isPrepared = await preparesOnly(tx, context)
    await lockName(tx, `agents:${caller.id}`)
    const live = await tx.agent.count({ where: { ducklingId: caller.id, status: { in: liveStatuses } } })
    if (live >= liveAgentsMax) throw context.fail('too_many_agents')
    const id = newId('agent', now)
    const status = isPrepared ? 'suspended' : 'registered'
    const agent = await tx.agent.create({
      data: {
        id,
        ducklingId: caller.id,
        status,
        suspendedAt: isPrepared ? now : null,
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
      metadata: {
        agent_name: agent.name,
        agent_type: agent.type,
        capabilities: agent.capabilities,
        ...(isPrepared ? { prepared: true } : {}),
      },
      data: agentFacts(agent),
    })
    announceChange(tx, context, isPrepared ? 'agent_prepared' : 'agent_registered', agent.name)
    return {
      agent_id: id,
      agent_name: agent.name,
      agent_type: agent.type,
      capabilities: agent.capabilities,
      status,
      beak_key: beakKey,
      key_id: keyId,
      key_expires_at: expiresAt,
      ...handshake,
    }
  })
}
