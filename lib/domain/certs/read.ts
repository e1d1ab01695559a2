import { batched } from '@/lib/db/batch'
import { db } from '@/lib/db/client'
import { joinRow } from '@/lib/db/sql'
import type { AnonymousContext, OperatorContext } from '@/lib/kernel/request/context'
import { type Page, type PageRequest, pageOf } from '@/lib/kernel/request/page'
import type { Tier } from '@/lib/kernel/request/tier'
import { nameInCredential } from './credential'
import {
  type CertificateInput,
  type CertificateStatus,
  presentCertificate,
  type VerificationInput,
} from './schema'

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

/** Returns the newest certificate of the caller, or of the agent's operator, with any status. Throws `certificate_not_found`. */
export async function viewCertificate(
  context: OperatorContext<'certificate_not_found'>,
): Promise<CertificateInput> {
  const found = await db().certificate.findFirst({
    where: { ducklingId: context.caller.id },
    orderBy: { id: 'desc' },
    include: { duckling: { select: { displayName: true, fullName: true } } },
  })
  if (!found) throw context.fail('certificate_not_found')
  return presentCertificate(found, found.duckling)
}

/** Returns a page of the caller's certificates, newest first. An agent reads those of its operator. */
export async function listCertificates(
  { caller }: OperatorContext,
  page: PageRequest,
): Promise<Page<CertificateInput>> {
  const rows = await db().certificate.findMany({
    where: { ducklingId: caller.id, ...(page.after === null ? {} : { id: { lt: page.after } }) },
    orderBy: { id: 'desc' },
    take: page.limit + 1,
    include: { duckling: { select: { displayName: true, fullName: true } } },
  })
  return pageOf(
    rows,
    page,
    (row) => row.id,
    (row) => presentCertificate(row, row.duckling),
  )
}
