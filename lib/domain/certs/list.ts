import { db } from '@/lib/db/client'
import type { CertificateStatus } from './schema'

/** A certificate in the list of all that somebody ever held. */
export interface PastCertificate {
  certId: string
  status: CertificateStatus
  tier: string
  issuedAt: string
  revokedAt: string | null
  reason: string | null
}

/** Enough for anybody who does not revoke for sport; the export has them all. */
const listedMost = 50

/** The certificates a duckling held before its newest one, newest first. */
export async function earlierCertificates(ducklingId: string): Promise<PastCertificate[]> {
  const rows = await db().certificate.findMany({
    where: { ducklingId },
    orderBy: { id: 'desc' },
    skip: 1,
    take: listedMost,
  })
  return rows.map((row) => ({
    certId: row.id,
    status: row.status,
    tier: row.tier,
    issuedAt: row.issuedAt.toISOString(),
    revokedAt: row.revokedAt?.toISOString() ?? null,
    reason: row.revocationReason,
  }))
}
