import { z } from 'zod'
import type { Certificate as CertificateRow, Duckling } from '@/lib/db/generated/client'
import { instant, tier } from '@/lib/kernel/request/fields'
import { nameInCredential, verifyUrl } from './credential'

/** One vocabulary for all four checks of a certificate (contract D4). */
const certificateStatus = z.enum(['active', 'revoked', 'superseded'])
export type CertificateStatus = z.infer<typeof certificateStatus>

const issuedName = z.string().meta({
  description:
    'The name that people saw when the certificate was issued: the full name, or the display name. The credential has it too.',
})

/** A certificate as its owner sees it. */
export const Certificate = z
  .object({
    cert_id: z.string(),
    status: certificateStatus,
    tier,
    display_name: z.string(),
    full_name: z
      .string()
      .optional()
      .meta({ description: 'The present name in any script, if the person has one.' }),
    issued_name: issuedName,
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
    full_name: z
      .string()
      .optional()
      .meta({ description: 'The present name in any script, if the person has one.' }),
    issued_name: issuedName,
    handle: z
      .string()
      .optional()
      .meta({ description: 'The present handle without `@`, if the owner has one and is listed.' }),
    current_tier: tier,
    checked_at: instant,
    credential: z.string(),
  })
  .meta({ id: 'CertificateVerification' })

export type VerificationInput = z.input<typeof Verification>

/** The present names of the owner. */
type Names = Pick<Duckling, 'displayName' | 'fullName'>

/**
 * Returns the wire form of a certificate for its owner.
 * `display_name` and `full_name` are the owner's current names. `issued_name` is the name in the credential.
 */
export function presentCertificate(row: CertificateRow, owner: Names): CertificateInput {
  return {
    cert_id: row.id,
    status: row.status,
    tier: row.tier,
    display_name: owner.displayName,
    ...(owner.fullName === null ? {} : { full_name: owner.fullName }),
    issued_name: nameInCredential(row.credential),
    duckling_id: row.ducklingId,
    issued_at: row.issuedAt,
    revoked_at: row.revokedAt,
    revocation_reason: row.revocationReason,
    verify_url: verifyUrl(row.id),
    credential: row.credential,
  }
}
