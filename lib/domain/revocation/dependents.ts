import { db } from '@/lib/db/client'
import { isPendingAt } from '@/lib/domain/pecks/state'
import type { DucklingContext } from '@/lib/kernel/context'

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
      count(*) FILTER (WHERE "status" = 'approved' AND "grantRevokedAt" IS NULL AND NOT "grantEndHandled"
        AND ("grantExpiresAt" IS NULL OR "grantExpiresAt" > ${now}::timestamptz)
        AND ("maxUses" IS NULL OR "uses" < "maxUses"))::int AS "active_grants",
      (SELECT count(*) FROM "SsoToken" WHERE "agentId" = ${agentId} AND "ducklingId" = ${caller.id}
        AND "spentAt" IS NULL AND "revokedAt" IS NULL AND "expiresAt" > ${now}::timestamptz)::int AS "sso_tokens",
      (SELECT count(*) FROM "Rule" WHERE "ducklingId" = ${caller.id} AND "subjectId" = ${agentId} AND "status" <> 'ended')::int AS "rules"
    FROM "Peck"
    WHERE "askerId" = ${agentId} AND "requesterDucklingId" = ${caller.id} AND "status" IN ('pending', 'approved')`
  return { agent_id: agentId, ...(counts ?? { pending_pecks: 0, active_grants: 0, sso_tokens: 0, rules: 0 }) }
}
