import { z } from 'zod'
import type { Tx } from '@/lib/db/client'
import type { Duckling, Prisma } from '@/lib/db/generated/client'
import { instant, text, tier } from '@/lib/kernel/fields'

/**
 * Names that would let somebody pass for the service (contract B, signup).
 * Spec silent: the words may not occur anywhere in a name, whatever the case.
 */
const reservedWords = [
  'admin',
  'support',
  'beak',
  'official',
  'system',
  'moderator',
  'security',
  'helpdesk',
  'webmaster',
]
const reservedNames = ['root', 'staff', 'null', 'undefined', 'anonymous', 'nobody', 'everyone']

function isReserved(name: string): boolean {
  const plain = name.toLowerCase()
  return reservedNames.includes(plain) || reservedWords.some((word) => plain.includes(word))
}

export const displayName = z
  .string()
  .regex(/^[A-Za-z0-9]{3,32}$/, 'must be 3–32 letters and digits (A–Z, a–z, 0–9)')
  .refine((name) => !isReserved(name), 'contains a reserved word; choose another name')

export const referralCode = text(1, 64)

export const certStatus = z.enum(['none', 'active', 'revoked', 'superseded'])

/** What `GET /beak/profile` answers. `email` is missing where the reader was not granted it. */
export const Profile = z
  .object({
    duckling_id: z.string(),
    display_name: z.string(),
    email: z.string().nullable().optional(),
    email_verified: z.boolean(),
    phone_verified: z.boolean(),
    trust_tier: tier,
    cert_id: z.string().nullable(),
    cert_status: certStatus,
    egg_count: z.int(),
    referral_code: z.string(),
    bio: z.string().nullable(),
    directory_visible: z.boolean(),
    require_passkey_for_pecks: z.boolean(),
    min_peck_tier: tier,
    created_at: instant,
    next_name_change_at: instant.nullable(),
  })
  .meta({ id: 'Profile' })

export type ProfileInput = z.input<typeof Profile>

export type DucklingWithCertificate = Prisma.DucklingGetPayload<{ include: typeof withCertificate }>

/** Includes the newest certificate, which is what `cert_id` and `cert_status` speak of. */
export const withCertificate = {
  certificates: { orderBy: { id: 'desc' }, take: 1, select: { id: true, status: true } },
} satisfies Prisma.DucklingInclude

/** A duckling's row as its profile. */
export function presentProfile(row: DucklingWithCertificate, now: Date): ProfileInput {
  const [certificate] = row.certificates
  const next = row.nextNameChangeAt
  return {
    duckling_id: row.id,
    display_name: row.displayName,
    email: row.email,
    email_verified: row.emailVerifiedAt !== null,
    phone_verified: row.phoneVerifiedAt !== null,
    trust_tier: row.trustTier,
    cert_id: certificate?.id ?? null,
    cert_status: certificate?.status ?? 'none',
    egg_count: row.eggCount,
    referral_code: row.referralCode,
    bio: row.bio,
    directory_visible: row.directoryVisible,
    require_passkey_for_pecks: row.requirePasskeyForPecks,
    min_peck_tier: row.minPeckTier,
    created_at: row.createdAt,
    next_name_change_at: next !== null && next > now ? next : null,
  }
}

/** Reads a duckling with what its profile needs. Throws when there is none: for ids that come from a session. */
export function getDuckling(tx: Tx, id: string): Promise<DucklingWithCertificate> {
  return tx.duckling.findUniqueOrThrow({ where: { id }, include: withCertificate })
}

/** Whether the directory lists the duckling. */
export function isListed(duckling: Pick<Duckling, 'directoryVisible' | 'trustTier'>): boolean {
  return duckling.directoryVisible && duckling.trustTier !== 'T0'
}
