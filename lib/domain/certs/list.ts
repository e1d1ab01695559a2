import { db } from '@/lib/db/client'
import type { CertificateStatus } from './schema'

/** An earlier certificate of a duckling. */
export interface PastCertificate {
  certId: string
  status: CertificateStatus
  tier: string
  issuedAt: string
  revokedAt: string | null
  reason: string | null
}

/** The export has all certificates. */
const listMax = 50

/** Returns the certificates of a duckling before its newest one, newest first. */
export async function earlierCertificates(ducklingId: string): Promise<PastCertificate[]> {
  const rows = await db().certificate.findMany({
    where: { ducklingId },
    orderBy: { id: 'desc' },
    skip: 1,
    take: listMax,
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
