import { batched } from '@/lib/db/batch'
import { db } from '@/lib/db/client'
import { joinRow } from '@/lib/db/sql'
import type { AnonymousContext } from '@/lib/kernel/context'
import type { Tier } from '@/lib/kernel/tier'
import { nameInCredential } from './credential'
import type { CertificateStatus, VerificationInput } from './schema'

interface Row {
  id: string
  status: CertificateStatus
  tier: Tier
  issuedAt: Date
  revokedAt: Date | null
  credential: string
  displayName: string
  fullName: string | null
  /** Only of a listed owner: the handle of anybody else is not public. */
  handle: string | null
  trustTier: Tier
  deletedAt: Date | null
}

const findCertificate = batched<Row>(
  ({ id }) => id,
  (ids) => db().rows`
    SELECT c."id", c."status", c."tier", c."issuedAt", c."revokedAt", c."credential", d."displayName", d."fullName",
      CASE WHEN d."listed" THEN d."handle" END AS "handle", d."trustTier", d."deletedAt"
    FROM "Certificate" c ${joinRow('Duckling', 'd', 'c."ducklingId"')}
    WHERE c."id" = ANY(${ids}::text[])`,
)

/**
 * Returns whether a certificate is valid: only while it is active and its account is open. For the public. Throws
 * `certificate_not_found` with `valid: false`, so that a client that reads only `valid` gets the right result.
 */
export async function verifyCertificate(
  context: AnonymousContext<'certificate_not_found'>,
  certificateId: string,
): Promise<VerificationInput> {
  const row = await findCertificate(certificateId)
  if (row === null) throw context.fail('certificate_not_found', { valid: false })
  // Closing an account revokes its certificate. If one were left active, it must not be valid either.
  const isOrphaned = row.deletedAt !== null && row.status === 'active'
  const status = isOrphaned ? 'revoked' : row.status
  return {
    valid: status === 'active',
    status,
    cert_id: certificateId,
    tier: row.tier,
    issued_at: row.issuedAt,
    revoked_at: isOrphaned ? row.deletedAt : row.revokedAt,
    display_name: row.displayName,
    ...(row.fullName === null ? {} : { full_name: row.fullName }),
    // Without the name at issue after the account is closed.
    issued_name: row.deletedAt === null ? nameInCredential(row.credential) : row.displayName,
    ...(row.handle === null ? {} : { handle: row.handle }),
    current_tier: row.trustTier,
    checked_at: context.now,
    credential: row.credential,
  }
}
