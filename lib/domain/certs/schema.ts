import { z } from 'zod'
import type { Certificate as CertificateRow } from '@/lib/db/generated/client'
import { config } from '@/lib/kernel/config'
import { instant, tier } from '@/lib/kernel/fields'

/** One vocabulary for all four checks of a certificate (contract D4). */
const certificateStatus = z.enum(['active', 'revoked', 'superseded'])
export type CertificateStatus = z.infer<typeof certificateStatus>

/** A certificate as its owner sees it. */
export const Certificate = z
  .object({
    cert_id: z.string(),
    status: certificateStatus,
    tier,
    display_name: z.string(),
    duckling_id: z.string(),
    issued_at: instant,
    revoked_at: instant.nullable(),
    revocation_reason: z.string().nullable(),
    verify_url: z.string(),
    credential: z
      .string()
      .meta({ description: 'The certificate as a signed W3C Verifiable Credential 2.0 (vc+jwt, EdDSA).' }),
  })
  .meta({ id: 'Certificate' })

export type CertificateInput = z.input<typeof Certificate>

/** The public result of checking a certificate. The reason of a revocation is private and not in it. */
export const Verification = z
  .object({
    valid: z.boolean(),
    status: certificateStatus,
    cert_id: z.string(),
    tier,
    issued_at: instant,
    revoked_at: instant.nullable(),
    display_name: z.string(),
    current_tier: tier,
    checked_at: instant,
    credential: z.string(),
  })
  .meta({ id: 'CertificateVerification' })

export type VerificationInput = z.input<typeof Verification>

/** Returns the address of the page that checks a certificate. */
export function verifyUrl(certificateId: string): string {
  return `${config().baseUrl}/verify/${certificateId}`
}

/**
 * Returns the wire form of a certificate for its owner.
 * `display_name` is the duckling's current name. The credential has the name at the time of issue (contract G).
 */
export function presentCertificate(row: CertificateRow, displayName: string): CertificateInput {
  return {
    cert_id: row.id,
    status: row.status,
    tier: row.tier,
    display_name: displayName,
    duckling_id: row.ducklingId,
    issued_at: row.issuedAt,
    revoked_at: row.revokedAt,
    revocation_reason: row.revocationReason,
    verify_url: verifyUrl(row.id),
    credential: row.credential,
  }
}
