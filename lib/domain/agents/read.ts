import { batched } from '@/lib/db/batch'
import { db, Prisma, type Tx } from '@/lib/db/client'
import type { Agent as AgentRow, AgentStatus } from '@/lib/db/generated/client'
import { joinRow, leftJoinRow, type Sql, sql } from '@/lib/db/sql'
import type { DucklingContext, Fails } from '@/lib/kernel/request/context'
import type { Failure, FailureName } from '@/lib/kernel/request/failures'
import { type Page, type PageRequest, pageOf } from '@/lib/kernel/request/page'
import type { GuardRow } from './guard-schema'
import { writeRefusalsOf } from './refusals'
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

/**
 * The same for an agent whose owner has its key. Throws `agent_connected` too, for the agent of a connected program: it has tokens, and a key that
 * somebody knows would act beside them.
 */
export async function lockAgentWithKey(
  tx: Tx,
  context: OwnerContext<'agent_not_found' | 'agent_status_conflict' | 'agent_connected'>,
  agentId: string,
): Promise<AgentRow> {
  const agent = await lockLiveAgent(tx, context, agentId)
  if ((await tx.connection.count({ where: { agentId } })) > 0) throw context.fail('agent_connected')
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

/** Selects a bonded agent and locks it, for a statement that locks more. */
export function bondedAgent(agentId: string): Sql {
  return sql`SELECT "name", "asksOthers" FROM "Agent" WHERE "id" = ${agentId} AND "status" = 'bonded' FOR SHARE`
}

/** Returns the agents of a statement that yields whole rows of "Agent", newest first, in wire form. */
export async function readAgents(tx: Tx, statement: Sql): Promise<AgentInput[]> {
  const rows = await tx.rows<Omit<AgentWithKey, 'guard'> & (GuardRow | { tool: null })>`
    SELECT a."id", a."name", a."type", a."capabilities", a."status", a."allowQueryKey", a."asksOthers", a."createdAt", a."bondedAt", a."lastSeenAt",
      k."id" AS "keyId", k."tierScope", k."createdAt" AS "keyCreatedAt", k."expiresAt" AS "keyExpiresAt", k."retiredAt" AS "keyRetiredAt", k."lastUsedAt", k."allDeadUses",
      c."clientId", c."clientName", c."returnHost",
      g."tool", g."version", g."computer", g."mode", g."startedAt", g."heardAt", g."stoppedAt", g."warns", g."alarmCause", g."alarmSince", g."alarmAt"
    FROM (${statement}) a ${leftJoinRow('Connection', 'c', 'a."id"', 'agentId')} ${leftJoinRow('Guard', 'g', 'a."id"', 'agentId')}
    JOIN LATERAL (
      SELECT *, (sum("deadUses") OVER ())::int AS "allDeadUses" FROM "BeakKey" WHERE "agentId" = a."id"
      ORDER BY "id" DESC LIMIT 1) k ON true
    ORDER BY a."id" DESC`
  return rows.map((row) => presentAgent({ ...row, guard: row.tool === null ? null : row }))
}

/** Returns the wire form of an agent, which must exist. It has at least one key, because they are created together. */
export async function readAgent(tx: Tx, agentId: string): Promise<AgentInput> {
  const [agent] = await readAgents(tx, sql`SELECT * FROM "Agent" WHERE "id" = ${agentId}`)
  if (agent === undefined) throw new Error(`no agent ${agentId}`)
  return agent
}

interface AgentFilter {
  withDeregistered: boolean
  /** Only agents whose name, id, type or capabilities contain it. Null: all. */
  text: string | null
}

/** Returns a page of the caller's agents, newest first. Writes pending counts first, so that uses of retired keys are up to date. */
export async function listAgents(
  context: DucklingContext,
  page: PageRequest,
  filter: AgentFilter,
): Promise<Page<AgentInput>> {
  await writeRefusalsOf(context.caller.id)
  const isLive = filter.withDeregistered ? Prisma.empty : sql`AND "status" <> 'deregistered'`
  const older = page.after === null ? Prisma.empty : sql`AND "id" < ${page.after}`
  const agents = await readAgents(
    db(),
    sql`SELECT * FROM "Agent" WHERE "ducklingId" = ${context.caller.id} ${isLive} ${containing(filter.text)} ${older}
      ORDER BY "id" DESC LIMIT ${page.limit + 1}`,
  )
  return pageOf(
    agents,
    page,
    (agent) => agent.agent_id,
    (agent) => agent,
  )
}

/** Returns a text without accents, capitals and full-width letters, as `searchForm` does. */
const folded = (text: Sql) =>
  sql`lower(regexp_replace(normalize(${text}, NFKD), ${'[\u0300-\u036f]'}, '', 'g'))`

/**
 * Returns the condition that a text of the agent contains `text`. `text` is not a pattern, so `%` and `_` match only themselves. The line breaks
 * between the columns keep a match inside one of them.
 */
function containing(text: string | null): Sql {
  if (text === null) return Prisma.empty
  return sql`AND strpos(${folded(sql`concat_ws(E'\n', "name", "id", "type", array_to_string("capabilities", E'\n'))`)}, ${folded(sql`${text}::text`)}) > 0`
}

/** Finds a key that is not retired, of an account that is open. */
const findKey = batched<{ id: string; expiresAt: Date; status: AgentStatus; isSuspended: boolean }>(
  ({ id }) => id,
  (ids) => db().rows`
    SELECT k."id", k."expiresAt", a."status", d."suspendedAt" IS NOT NULL AS "isSuspended"
    FROM "BeakKey" k ${joinRow('Agent', 'a', 'k."agentId"')} ${joinRow('Duckling', 'd', 'a."ducklingId"')}
    WHERE k."id" = ANY(${ids}::text[]) AND k."retiredAt" IS NULL AND d."deletedAt" IS NULL`,
)

/**
 * Returns why an agent can no longer use a key, or null when it still can. For streams and long polls, which continue after
 * authentication. The end of a key or a suspension signals the id of the agent. `sessionExpiry` does the same for sessions.
 */
export async function agentEnded(
  keyId: string,
  now: Date,
): Promise<Extract<FailureName, 'beak_key_invalid' | 'account_suspended' | 'agent_not_bonded'> | null> {
  const key = await findKey(keyId)
  if (key === null || key.expiresAt <= now) return 'beak_key_invalid'
  if (key.isSuspended) return 'account_suspended'
  return key.status === 'bonded' ? null : 'agent_not_bonded'
}
