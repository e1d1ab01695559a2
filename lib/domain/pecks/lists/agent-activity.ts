/** What the agents of a person are doing: an overview of all of them. */
import { z } from 'zod'
import { db } from '@/lib/db/client'
import type { Agent, Peck } from '@/lib/db/generated/client'
import { leftJoinRow } from '@/lib/db/sql'
import { grantStatusOf, isPendingAt, statusOf } from '@/lib/domain/pecks/state'
import { lastSeen } from '@/lib/domain/sessions/authenticate'
import { agentStatus } from '@/lib/infrastructure/events/kinds/agents'
import { grantStatus, peckStatus } from '@/lib/infrastructure/events/kinds/peck-data'
import type { DucklingContext } from '@/lib/kernel/request/context'
import { instant } from '@/lib/kernel/request/fields'

const ActivityPeck = z
  .object({
    peck_id: z.string(),
    action: z.string(),
    status: peckStatus,
    grant_status: grantStatus.nullable(),
    target_duckling_id: z.string(),
    target_display_name: z.string(),
    target_full_name: z.string().optional(),
    created_at: instant,
    expires_at: instant,
    changed_at: instant.meta({
      description: 'When it was asked, answered, used or ended, whichever came last.',
    }),
    grant_expires_at: instant.nullable(),
    uses: z.int(),
    by_rule: z.boolean().meta({ description: 'Whether a rule of the target answered.' }),
  })
  .meta({ id: 'AgentActivityPeck' })

/** An agent and what it is doing. */
export const AgentActivity = z
  .object({
    agent_id: z.string(),
    agent_name: z.string(),
    status: agentStatus,
    last_seen_at: instant.nullable(),
    waiting: z.int().meta({ description: 'How many requests of the agent wait for an answer.' }),
    waiting_for_you: z.int().meta({ description: 'How many of them wait for your answer.' }),
    peck: ActivityPeck.nullable(),
  })
  .meta({ id: 'AgentActivity' })

type AgentActivityInput = z.input<typeof AgentActivity>

/** The request that says what an agent is doing. `changedAt`: the last time that it was asked, answered, used or ended. */
type ActivityPeckRow = Pick<
  Peck,
  | 'action'
  | 'targetDucklingId'
  | 'status'
  | 'createdAt'
  | 'expiresAt'
  | 'rejectAt'
  | 'grantExpiresAt'
  | 'grantEndHandled'
  | 'grantRevokedAt'
  | 'uses'
  | 'maxUses'
  | 'ruleId'
> & { peckId: string; targetName: string; targetFullName: string | null; changedAt: Date }

interface AgentRow {
  agentId: string
  agentName: string
  agentStatus: Agent['status']
  lastSeenAt: Date | null
  waiting: number
  waitingForYou: number
}

/** An agent without a request has NULL in all columns of the request. */
type ActivityRow = AgentRow & (ActivityPeckRow | { peckId: null; changedAt: null })

/**
 * Returns each live agent of the caller with its most important request: the newest request that waits for the caller. Without such a
 * request, it is the newest request that waits for somebody else, and without any that waits, the request with the latest change. Agents
 * that wait for the caller come first, then agents that wait for others, then the rest by their latest change.
 *
 * One statement for all agents. It looks at the caller's 500 newest waiting requests and at the 20 newest requests of each
 * agent, so an agent with a long history costs no more than others.
 */
export async function listAgentActivity({ caller, now }: DucklingContext): Promise<AgentActivityInput[]> {
  const rows = await db().rows<ActivityRow>`
    WITH waiting AS MATERIALIZED (
      SELECT * FROM "Peck" WHERE "requesterDucklingId" = ${caller.id} AND ${isPendingAt(now)}
        ORDER BY "id" DESC LIMIT 500)
    SELECT a."id" AS "agentId", a."name" AS "agentName", a."status" AS "agentStatus", a."lastSeenAt", w."waiting", w."waitingForYou",
      p."id" AS "peckId", p."action", p."targetDucklingId", t."displayName" AS "targetName", t."fullName" AS "targetFullName", p."status", p."createdAt", p."expiresAt", p."rejectAt",
      p."changedAt", p."grantExpiresAt", p."grantEndHandled", p."grantRevokedAt", p."uses", p."maxUses", p."ruleId"
    FROM "Agent" a
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS "waiting",
        (count(*) FILTER (WHERE "targetDucklingId" = ${caller.id}))::int AS "waitingForYou"
      FROM waiting WHERE "askerId" = a."id") w
    LEFT JOIN LATERAL (
      SELECT recent.*, greatest("createdAt", "decidedAt", "lastUsedAt", "grantRevokedAt",
          CASE WHEN "status" IN ('pending', 'expired') AND "expiresAt" <= ${now}::timestamptz THEN "expiresAt" END,
          CASE WHEN "rejectAt" <= ${now}::timestamptz THEN "rejectAt" END) AS "changedAt"
      FROM (
        SELECT * FROM waiting WHERE "askerId" = a."id"
        UNION ALL
        (SELECT * FROM "Peck" WHERE "askerId" = a."id" AND w."waiting" = 0 ORDER BY "id" DESC LIMIT 20)) recent
      ORDER BY w."waiting" > 0 AND "targetDucklingId" = ${caller.id} DESC, "changedAt" DESC, "id" DESC LIMIT 1) p ON true
    ${leftJoinRow('Duckling', 't', 'p."targetDucklingId"')}
    WHERE a."ducklingId" = ${caller.id} AND a."status" IN ('registered', 'bonded', 'suspended')`
  return rows.sort(byUrgency).map((row) => presentActivity(row, now))
}

const latestOf = ({ changedAt, lastSeenAt }: ActivityRow) =>
  Math.max(changedAt?.getTime() ?? 0, lastSeenAt?.getTime() ?? 0)

function byUrgency(one: ActivityRow, other: ActivityRow): number {
  return (
    Number(other.waitingForYou > 0) - Number(one.waitingForYou > 0) ||
    Number(other.waiting > 0) - Number(one.waiting > 0) ||
    latestOf(other) - latestOf(one) ||
    (one.agentId < other.agentId ? 1 : -1)
  )
}

function presentActivity(row: ActivityRow, now: Date): AgentActivityInput {
  return {
    agent_id: row.agentId,
    agent_name: row.agentName,
    status: row.agentStatus,
    last_seen_at: lastSeen('agent', row.agentId, row.lastSeenAt),
    waiting: row.waiting,
    waiting_for_you: row.waitingForYou,
    peck: row.peckId === null ? null : presentActivityPeck(row, now),
  }
}

function presentActivityPeck(row: ActivityPeckRow, now: Date): z.input<typeof ActivityPeck> {
  return {
    peck_id: row.peckId,
    action: row.action,
    status: statusOf(row, now),
    grant_status: grantStatusOf(row, now),
    target_duckling_id: row.targetDucklingId,
    target_display_name: row.targetName,
    ...(row.targetFullName === null ? {} : { target_full_name: row.targetFullName }),
    created_at: row.createdAt,
    expires_at: row.expiresAt,
    changed_at: row.changedAt,
    grant_expires_at: row.grantExpiresAt,
    uses: row.uses,
    by_rule: row.ruleId !== null,
  }
}
