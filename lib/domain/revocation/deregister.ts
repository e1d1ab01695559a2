import { db, Prisma, type Tx } from '@/lib/db/client'
import type { Agent as AgentRow } from '@/lib/db/generated/client'
import { sql } from '@/lib/db/sql'
import { transaction, withCurrentTime } from '@/lib/db/transaction'
import { retireKey } from '@/lib/domain/agents/credentials'
import { lockLiveAgent, readAgent } from '@/lib/domain/agents/read'
import { type AgentInput, agentFacts, liveStatuses } from '@/lib/domain/agents/schema'
import { isActiveGrant } from '@/lib/domain/pecks/grant/active'
import { recordPeck } from '@/lib/domain/pecks/record'
import { type PeckRow, readPecks } from '@/lib/domain/pecks/rows'
import { isChangeableAt, isPendingAt } from '@/lib/domain/pecks/state'
import { endRules, ownRules } from '@/lib/domain/rules/end-rules'
import { enqueueEnded, enqueueRevocation } from '@/lib/domain/tlog/enqueue'
import { record } from '@/lib/infrastructure/events/record'
import type { Context, DucklingContext } from '@/lib/kernel/request/context'

/** Ids of everything that ended with an agent. */
export interface RetiredAgent {
  agentId: string
  keyIds: string[]
  cancelledPecks: string[]
  revokedGrants: string[]
  ssoTokens: string[]
  /** Rules of the owner for the agent. */
  rules: string[]
}

/**
 * Deregisters an agent and ends what belongs to it (contract D3): retires its key, deletes its handshake, ends the rules for it, cancels its
 * pending pecks, and revokes its unused grants and SSO tokens. Records each peck for the other side. The agent must be locked and live.
 */
async function retireAgent(tx: Tx, context: Context, agent: AgentRow): Promise<RetiredAgent> {
  const { id, ducklingId } = agent
  await lockPending(tx, agent)
  const current = withCurrentTime(context)
  const { now } = current
  const { count } = await tx.agent.updateMany({
    where: { id, status: { in: liveStatuses } },
    data: { status: 'deregistered', deregisteredAt: now },
  })
  if (count !== 1) throw new Error('the agent was not locked and live')
  enqueueEnded(tx, { agent_id: id })
  const keyId = await retireKey(tx, id, now)
  await tx.handshake.deleteMany({ where: { agentId: id } })
  const rules = await endRules(tx, current, { where: sql`"subjectId" = ${id}`, reason: 'agent_retired' })
  await tx.agentBudget.deleteMany({ where: { agentId: id } })
  const cancelled = await cancelPecks(tx, id, now)
  const revoked = await revokeGrants(tx, id, now)
  const retired: RetiredAgent = {
    agentId: id,
    keyIds: keyId === null ? [] : [keyId],
    cancelledPecks: cancelled.map((peck) => peck.id),
    revokedGrants: revoked.map((peck) => peck.id),
    ssoTokens: await revokeSsoTokens(tx, agent, now),
    rules: ownRules(rules, ducklingId),
  }
  record(tx, current, 'agent.deregistered', {
    concerning: [ducklingId],
    targets: [{ type: 'agent', id }, ...retired.keyIds.map((key) => ({ type: 'key' as const, id: key }))],
    metadata: { cancelled_pecks: retired.cancelledPecks, revoked_grants: retired.revokedGrants },
    counts: { bonded_agents: agent.status === 'bonded' ? -1 : 0 },
    data: {
      ...agentFacts({ ...agent, status: 'deregistered' }),
      cancelled_pecks: retired.cancelledPecks,
      revoked_grants: retired.revokedGrants,
    },
  })
  const cause = 'agent_deregistered'
  for (const peck of cancelled) recordPeck(tx, current, 'peck.cancelled', peck, { cause })
  for (const peck of revoked)
    recordPeck(tx, current, 'peck.revoked', peck, {
      cause,
      metadata: enqueueRevocation(tx, peck, now),
    })
  return retired
}

/** Locks and retires the live agents of an account that match `where`. Returns what ended with each, oldest first. */
export async function retireAgents(
  tx: Tx,
  context: Context,
  ducklingId: string,
  where: Prisma.AgentWhereInput = {},
): Promise<RetiredAgent[]> {
  const live = { ...where, ducklingId, status: { in: liveStatuses } }
  const found = await tx.agent.findMany({ where: live, select: { id: true } })
  if (found.length === 0) return []
  const ids = found.map(({ id }) => id)
  await tx.run`SELECT 1 FROM "Agent" WHERE "id" = ANY(${ids}::text[]) ORDER BY "id" FOR NO KEY UPDATE`
  // Read again, because an agent may have been deregistered before its row was locked.
  const agents = await tx.agent.findMany({ where: { ...live, id: { in: ids } }, orderBy: { id: 'asc' } })
  const retired = []
  for (const agent of agents) retired.push(await retireAgent(tx, context, agent))
  return retired
}

/** Locks the pecks that wait, in the order of their ids, as other commands do. */
function lockPending(tx: Tx, { id, ducklingId }: AgentRow): Promise<unknown> {
  return tx.run`
    SELECT 1 FROM "Peck" WHERE "requesterDucklingId" = ${ducklingId} AND "askerId" = ${id} AND "status" = 'pending'
    ORDER BY "id" FOR NO KEY UPDATE`
}

/**
 * Cancels the locked pending pecks of an agent. Those whose time is up, or whose rejection can no longer be undone, are left as `expired` and
 * `rejected`.
 */
function cancelPecks(tx: Tx, agentId: string, now: Date): Promise<PeckRow[]> {
  return readPecks(
    tx,
    Prisma.sql`UPDATE "Peck" SET "status" = 'cancelled', "pendingKey" = NULL, "decidedAt" = ${now}::timestamptz,
        "snoozedUntil" = NULL, "rejectAt" = NULL, "heldRejection" = NULL
      WHERE "askerId" = ${agentId} AND ${isChangeableAt(now)} RETURNING *`,
  )
}

function revokeGrants(tx: Tx, agentId: string, now: Date): Promise<PeckRow[]> {
  return readPecks(
    tx,
    Prisma.sql`UPDATE "Peck" SET "grantRevokedAt" = ${now}::timestamptz
      WHERE "askerId" = ${agentId} AND ${isActiveGrant(now, 'sent')} RETURNING *`,
  )
}

async function revokeSsoTokens(tx: Tx, agent: AgentRow, now: Date): Promise<string[]> {
  const revoked = await tx.ssoToken.updateManyAndReturn({
    where: {
      ducklingId: agent.ducklingId,
      agentId: agent.id,
      spentAt: null,
      revokedAt: null,
      expiresAt: { gt: now },
    },
    data: { revokedAt: now },
    select: { id: true },
  })
  return revoked.map(({ id }) => id)
}

export interface Deregistered extends AgentInput {
  retired_keys: string[]
  cancelled_pecks: string[]
  revoked_grants: string[]
  revoked_sso_tokens: string[]
  ended_rules: string[]
}

/** Deregisters an agent and returns what ended with it. Throws `agent_not_found` or `agent_status_conflict`. */
export function deregisterAgent(
  context: DucklingContext<'agent_not_found' | 'agent_status_conflict'>,
  agentId: string,
): Promise<Deregistered> {
  return transaction(async (tx) => {
    const agent = await lockLiveAgent(tx, context, agentId)
    const retired = await retireAgent(tx, context, agent)
    return {
      ...(await readAgent(tx, agentId)),
      retired_keys: retired.keyIds,
      cancelled_pecks: retired.cancelledPecks,
      revoked_grants: retired.revokedGrants,
      revoked_sso_tokens: retired.ssoTokens,
      ended_rules: retired.rules,
    }
  })
}

/** What ends together with an agent. */
export interface Dependents {
  agent_id: string
  pending_pecks: number
  active_grants: number
  sso_tokens: number
  /** Rules of the caller for the agent. */
  rules: number
}

/** Counts what `retireAgent` would end now for one of the caller's agents. */
export async function countDependents(
  { caller, now }: DucklingContext,
  agentId: string,
): Promise<Dependents> {
  const [counts] = await db().rows<Omit<Dependents, 'agent_id'>>`
    SELECT
      count(*) FILTER (WHERE ${isPendingAt(now)})::int AS "pending_pecks",
      count(*) FILTER (WHERE ${isActiveGrant(now)})::int AS "active_grants",
      (SELECT count(*) FROM "SsoToken" WHERE "agentId" = ${agentId} AND "ducklingId" = ${caller.id}
        AND "spentAt" IS NULL AND "revokedAt" IS NULL AND "expiresAt" > ${now}::timestamptz)::int AS "sso_tokens",
      (SELECT count(*) FROM "Rule" WHERE "ducklingId" = ${caller.id} AND "subjectId" = ${agentId} AND "status" <> 'ended')::int AS "rules"
    FROM "Peck"
    WHERE "askerId" = ${agentId} AND "requesterDucklingId" = ${caller.id} AND "status" IN ('pending', 'approved')`
  return { agent_id: agentId, ...(counts ?? { pending_pecks: 0, active_grants: 0, sso_tokens: 0, rules: 0 }) }
}
