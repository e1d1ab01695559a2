import type { Tx } from '@/lib/db/client'
import type { Agent as AgentRow } from '@/lib/db/generated/client'
import type { Fails } from '@/lib/kernel/context'
import type { Failure, FailureName } from '@/lib/kernel/failures'
import { type AgentInput, type NewestKey, presentAgent } from './schema'

/** The context of a command on an agent of the caller. */
type OwnerContext<F extends FailureName> = Fails<F> & { caller: { id: string } }

/**
 * Locks the caller's agent until the transaction ends and returns it, so that commands on one agent run one after the other. Rows that
 * refer to the agent can still be written. Throws `agent_missing`.
 */
export async function lockAgent(
  tx: Tx,
  context: OwnerContext<'agent_missing'>,
  agentId: string,
): Promise<AgentRow> {
  const ducklingId = context.caller.id
  await tx.run`SELECT 1 FROM "Agent" WHERE "id" = ${agentId} AND "ducklingId" = ${ducklingId} FOR NO KEY UPDATE`
  const agent = await tx.agent.findFirst({ where: { id: agentId, ducklingId } })
  if (!agent) throw context.fail('agent_missing')
  return agent
}

/**
 * Locks the caller's agent and returns it, when it is not deregistered. Throws `agent_missing` or `agent_wrong_state`.
 */
export async function lockLiveAgent(
  tx: Tx,
  context: OwnerContext<'agent_missing' | 'agent_wrong_state'>,
  agentId: string,
): Promise<AgentRow> {
  const agent = await lockAgent(tx, context, agentId)
  if (agent.status === 'deregistered') throw wrongState(context, agent)
  return agent
}

/** Returns the failure that names the current state of the agent. */
export function wrongState(context: Fails<'agent_wrong_state'>, agent: Pick<AgentRow, 'status'>): Failure {
  return context.fail('agent_wrong_state', { current_status: agent.status })
}

/**
 * Locks a bonded agent until the transaction ends, before rows are written in its name (pecks, SSO tokens). So no such row is written
 * while the agent is being suspended or deregistered. Returns its name. Throws `agent_not_bonded`.
 */
export async function lockBondedAgent(
  tx: Tx,
  context: Fails<'agent_not_bonded'>,
  agentId: string,
): Promise<string> {
  const [agent] = await tx.rows<{ name: string }>`
    SELECT "name" FROM "Agent" WHERE "id" = ${agentId} AND "status" = 'bonded' FOR SHARE`
  if (!agent) throw context.fail('agent_not_bonded')
  return agent.name
}

/** Returns the newest key of each agent, by agent id. */
export async function newestKeys(tx: Tx, agentIds: string[]): Promise<Map<string, NewestKey>> {
  const rows = await tx.rows<NewestKey>`
    SELECT DISTINCT ON ("agentId") "id", "agentId", "tierScope"::text AS "tierScope", "createdAt", "expiresAt", "lastUsedAt",
      (sum("deadUses") OVER (PARTITION BY "agentId"))::int AS "deadUses"
    FROM "BeakKey" WHERE "agentId" = ANY(${agentIds}::text[])
    ORDER BY "agentId", "id" DESC`
  return new Map(rows.map((row) => [row.agentId, row]))
}

/** Returns the wire form of an agent, which must exist. It has at least one key, because they are created together. */
export async function readAgent(tx: Tx, agentId: string): Promise<AgentInput> {
  const agent = await tx.agent.findUniqueOrThrow({ where: { id: agentId } })
  return presentWithKey(agent, await newestKeys(tx, [agentId]))
}

/** Returns the wire form of an agent, with its key from `newestKeys`. */
export function presentWithKey(agent: AgentRow, keys: Map<string, NewestKey>): AgentInput {
  const key = keys.get(agent.id)
  if (!key) throw new Error(`${agent.id} has no key`)
  return presentAgent(agent, key)
}
