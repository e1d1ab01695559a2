import { db } from '@/lib/db/client'

/** What would end together with an agent if it were deregistered now (`retireAgent`). */
export interface Dependents {
  pecks: number
  grants: number
  ssoTokens: number
}

/** Counts the pending pecks, unused grants and SSO tokens of an agent of the duckling. */
export async function countDependents(ducklingId: string, agentId: string, now: Date): Promise<Dependents> {
  const [counts] = await db().$queryRaw<Dependents[]>`
    SELECT
      count(*) FILTER (WHERE "status" = 'pending' AND "expiresAt" > ${now}::timestamptz)::int AS "pecks",
      count(*) FILTER (WHERE "status" = 'approved' AND "grantRevokedAt" IS NULL
        AND ("grantExpiresAt" IS NULL OR "grantExpiresAt" > ${now}::timestamptz)
        AND ("maxUses" IS NULL OR "uses" < "maxUses"))::int AS "grants",
      (SELECT count(*) FROM "SsoToken" WHERE "agentId" = ${agentId} AND "ducklingId" = ${ducklingId}
        AND "spentAt" IS NULL AND "revokedAt" IS NULL AND "expiresAt" > ${now}::timestamptz)::int AS "ssoTokens"
    FROM "Peck"
    WHERE "askerId" = ${agentId} AND "requesterDucklingId" = ${ducklingId} AND "status" IN ('pending', 'approved')`
  return counts ?? { pecks: 0, grants: 0, ssoTokens: 0 }
}
