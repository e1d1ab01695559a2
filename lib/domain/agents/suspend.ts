import type { Tx } from '@/lib/db/client'
import type { Agent as AgentRow } from '@/lib/db/generated/client'
import { transaction } from '@/lib/db/transaction'
import { announceChange } from '@/lib/domain/sessions/announce-change'
import { record } from '@/lib/infrastructure/events/record'
import { signal } from '@/lib/infrastructure/events/signals'
import type { Context, DucklingContext } from '@/lib/kernel/request/context'
import { lockAgent, readAgent, wrongState } from './read'
import { type AgentInput, agentFacts, liveStatuses } from './schema'

type LockedAgent = Pick<AgentRow, 'id' | 'name'>

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
    recordSuspension(tx, context, agent)
    return readAgent(tx, agentId)
  })
}

/**
 * Suspends the live agents of these ids until the owner resumes each with a recent proof: for the undo of a change of address. An agent
 * that is suspended already gets the same reason. Returns the agents in order of their ids.
 */
export async function holdAgents(tx: Tx, context: Context, ids: string[]): Promise<LockedAgent[]> {
  const { now } = context
  await tx.run`SELECT 1 FROM "Agent" WHERE "id" = ANY(${ids}::text[]) ORDER BY "id" FOR NO KEY UPDATE`
  const agents = await tx.agent.findMany({
    where: { id: { in: ids }, status: { in: liveStatuses } },
    orderBy: { id: 'asc' },
  })
  await tx.agent.updateMany({
    where: { id: { in: agents.map(({ id }) => id) } },
    data: { status: 'suspended', suspendReason: 'email_restored', madeByPasskey: false },
  })
  for (const agent of agents) {
    if (agent.status === 'suspended') continue
    await tx.agent.update({ where: { id: agent.id }, data: { suspendedAt: now } })
    recordSuspension(tx, context, agent, { cause: 'email_restored' })
  }
  return agents
}

function recordSuspension(
  tx: Tx,
  context: Context,
  agent: AgentRow,
  metadata: Record<string, string> = {},
): void {
  signal(tx, agent.id)
  record(tx, context, 'agent.suspended', {
    concerning: [agent.ducklingId],
    targets: [{ type: 'agent', id: agent.id }],
    metadata,
    counts: { bonded_agents: agent.status === 'bonded' ? -1 : 0 },
    data: agentFacts({ ...agent, status: 'suspended' }),
  })
}

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
    announceChange(tx, context, 'agent_resumed', agent)
    return readAgent(tx, agentId)
  })
}
