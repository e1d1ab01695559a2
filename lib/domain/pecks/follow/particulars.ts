import { db } from '@/lib/db/client'

/** What the target should know of a peck besides its wire form. */
export interface Particulars {
  /** Lifetime asked for the grant, in seconds; null: until it is revoked. */
  grantSeconds: number | null
  /** The active certificate of whoever stands behind the request. */
  certId: string | null
  /** Whether a passkey signed the approval. */
  isSigned: boolean
  revokedAt: Date | null
  /** Whether the duckling has blocked whoever stands behind the request. */
  isBlocked: boolean
}

/**
 * For those of the pecks that the duckling sent or received. Spec silent: whoever is asked sees the asker's certificate, a
 * person's as well as an agent's operator's, which `GET /beak/agent/verify` tells everybody.
 */
export async function readParticulars(
  ducklingId: string,
  peckIds: string[],
): Promise<Map<string, Particulars>> {
  const rows = await db().$queryRaw<(Particulars & { id: string })[]>`
    SELECT p."id", p."grantSeconds", p."approval" IS NOT NULL AS "isSigned", p."grantRevokedAt" AS "revokedAt", c."id" AS "certId",
      EXISTS (SELECT 1 FROM "PeckBlock" b WHERE b."ducklingId" = ${ducklingId} AND b."blockedDucklingId" = p."requesterDucklingId") AS "isBlocked"
    FROM "Peck" p LEFT JOIN "Certificate" c ON c."activeFor" = p."requesterDucklingId"
    WHERE p."id" = ANY(${peckIds}::text[])
      AND (p."requesterDucklingId" = ${ducklingId} OR (p."targetDucklingId" = ${ducklingId} AND NOT p."blocked"))`
  return new Map(rows.map(({ id, ...particulars }) => [id, particulars]))
}
