import type { Tx } from '@/lib/db/client'
import type { Agent as AgentRow } from '@/lib/db/generated/client'
import { type Sql, sql } from '@/lib/db/sql'
import type { Fails } from '@/lib/kernel/context'
import type { Failure, FailureName } from '@/lib/kernel/failures'
import { type AgentInput, type AgentWithKey, presentAgent } from './schema'

/** The context of a command on an agent of the caller. */
type OwnerContext<F extends FailureName> = Fails<F> & { caller: { id: string } }

/**
 * Locks the caller's agent until the transaction ends and returns it, so that commands on one agent run one after the other. Rows that
 * refer to the agent can still be written. Throws `agent_not_found`.
 */
export async function lockAgent(
  tx: Tx,
  context: OwnerContext<'agent_not_found'>,
  agentId: string,
): Promise<AgentRow> {
  const ducklingId = context.caller.id
  await tx.run`SELECT 1 FROM "Agent" WHERE "id" = ${agentId} AND "ducklingId" = ${ducklingId} FOR NO KEY UPDATE`
  const agent = await tx.agent.findFirst({ where: { id: agentId, ducklingId } })
  if (!agent) throw context.fail('agent_not_found')
  return agent
}

/**
 * Locks the caller's agent and returns it, when it is not deregistered. Throws `agent_not_found` or `agent_status_conflict`.
 */
export async function lockLiveAgent(
  tx: Tx,
  context: OwnerContext<'agent_not_found' | 'agent_status_conflict'>,
  agentId: string,
): Promise<AgentRow> {
  const agent = await lockAgent(tx, context, agentId)
  if (agent.status === 'deregistered') throw wrongState(context, agent)
  return agent
}

/** Returns the failure that names the current state of the agent. */
export function wrongState(
  context: Fails<'agent_status_conflict'>,
  agent: Pick<AgentRow, 'status'>,
): Failure {
  return context.fail('agent_status_conflict', { current_status: agent.status })
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
  const [agent] = await tx.rows<{ name: string }>`${bondedAgent(agentId)}`
  if (!agent) throw context.fail('agent_not_bonded')
  return agent.name
}

/** Selects the name of a bonded agent and locks it, for a statement that locks more. */
export function bondedAgent(agentId: string): Sql {
  return sql`SELECT "name" FROM "Agent" WHERE "id" = ${agentId} AND "status" = 'bonded' FOR SHARE`
}

/** Returns the agents of a statement that yields whole rows of "Agent", newest first, in wire form. */
export async function readAgents(tx: Tx, statement: Sql): Promise<AgentInput[]> {
  const rows = await tx.rows<AgentWithKey>`
    SELECT a."id", a."name", a."type", a."capabilities", a."status", a."allowQueryKey", a."createdAt", a."bondedAt", a."lastSeenAt",
      k."id" AS "keyId", k."tierScope", k."createdAt" AS "keyCreatedAt", k."expiresAt" AS "keyExpiresAt", k."lastUsedAt", k."allDeadUses"
    FROM (${statement}) a
    JOIN LATERAL (
      SELECT *, (sum("deadUses") OVER ())::int AS "allDeadUses" FROM "BeakKey" WHERE "agentId" = a."id"
      ORDER BY "id" DESC LIMIT 1) k ON true
    ORDER BY a."id" DESC`
  return rows.map(presentAgent)
}

/** Returns the wire form of an agent, which must exist. It has at least one key, because they are created together. */
export async function readAgent(tx: Tx, agentId: string): Promise<AgentInput> {
  const [agent] = await readAgents(tx, sql`SELECT * FROM "Agent" WHERE "id" = ${agentId}`)
  if (agent === undefined) throw new Error(`no agent ${agentId}`)
  return agent
}
