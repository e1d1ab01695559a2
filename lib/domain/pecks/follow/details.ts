import { db } from '@/lib/db/client'

/** What the pages show of a peck besides its wire form. */
export interface PeckDetails {
  /** The requested lifetime of the grant in seconds. Null when it lasts until it is revoked. */
  grantSeconds: number | null
  /** The active certificate of the asker, or of the agent's operator. */
  certId: string | null
  /** Whether a passkey signed the approval. */
  isSigned: boolean
  revokedAt: Date | null
  /** Whether the duckling has blocked the asker, or the agent's operator. */
  isBlocked: boolean
}

/**
 * Returns the details of the given pecks by id, without pecks that the duckling neither sent nor received. Spec silent: the
 * target sees the certificate of the asker. For agents, `GET /beak/agent/verify` shows it to everybody.
 */
export async function readDetails(ducklingId: string, peckIds: string[]): Promise<Map<string, PeckDetails>> {
  const rows = await db().$queryRaw<(PeckDetails & { id: string })[]>`
    SELECT p."id", p."grantSeconds", p."approval" IS NOT NULL AS "isSigned", p."grantRevokedAt" AS "revokedAt", c."id" AS "certId",
      EXISTS (SELECT 1 FROM "PeckBlock" b WHERE b."ducklingId" = ${ducklingId} AND b."blockedDucklingId" = p."requesterDucklingId") AS "isBlocked"
    FROM "Peck" p LEFT JOIN "Certificate" c ON c."activeFor" = p."requesterDucklingId"
    WHERE p."id" = ANY(${peckIds}::text[])
      AND (p."requesterDucklingId" = ${ducklingId} OR (p."targetDucklingId" = ${ducklingId} AND NOT p."blocked"))`
  return new Map(rows.map(({ id, ...details }) => [id, details]))
}
