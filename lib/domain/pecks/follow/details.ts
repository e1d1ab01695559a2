import { db } from '@/lib/db/client'
import type { PeckDetailsInput } from '@/lib/domain/pecks/schema'
import type { DucklingContext } from '@/lib/kernel/context'

/**
 * Returns details of those pecks that the caller sent or received. Spec silent: the target sees the certificate of the person behind
 * the request; GET /beak/agent/verify publishes the certificate of an agent's operator.
 */
export function peckDetails({ caller }: DucklingContext, peckIds: string[]): Promise<PeckDetailsInput[]> {
  return db().rows<PeckDetailsInput>`
    SELECT p."id" AS "peck_id", p."grantSeconds" AS "grant_seconds", c."id" AS "requester_cert_id",
      EXISTS (SELECT 1 FROM "PeckBlock" b
        WHERE b."ducklingId" = ${caller.id} AND b."blockedDucklingId" = p."requesterDucklingId") AS "requester_blocked",
      p."approval" IS NOT NULL AS "signed", p."grantRevokedAt" AS "grant_revoked_at"
    FROM "Peck" p LEFT JOIN "Certificate" c ON c."activeFor" = p."requesterDucklingId"
    WHERE p."id" = ANY(${peckIds}::text[])
      AND (p."requesterDucklingId" = ${caller.id} OR (p."targetDucklingId" = ${caller.id} AND NOT p."blocked"))`
}
