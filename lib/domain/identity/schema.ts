import { z } from 'zod'
import type { Tx } from '@/lib/db/client'
import type { CertificateStatus, Duckling, Prisma, Tier } from '@/lib/db/generated/client'
import { type Sql, sql } from '@/lib/db/sql'
import { codeLifetimeSeconds, resendAfterSeconds } from '@/lib/domain/codes/codes'
import { nextHandleChange } from '@/lib/domain/handles/holder'
import { DeviceToken } from '@/lib/domain/sessions/devices'
import { always, instant, otpCode, text, tier } from '@/lib/kernel/request/fields'
import { maskId } from '@/lib/kernel/secrets/ids'
import { email } from '@/lib/kernel/typed/email'
import { displayName, fullName } from './names'
import { newPassword } from './sign-up'

const referralCode = text(1, 64)

/** The body of `POST /beak/signup`. The display name may be absent beside a full name or a password. */
export const SignUpRequest = z
  .strictObject({
    email,
    display_name: displayName.optional(),
    full_name: fullName.optional(),
    password: newPassword.optional(),
    referral_code: referralCode.optional(),
    directory_visible: z.boolean().optional(),
    sign_up_pass: z.string().min(1).max(120).optional(),
  })
  .refine((body) => (body.display_name ?? body.full_name ?? body.password) !== undefined, {
    path: ['display_name'],
    message: 'is required',
    when: always,
  })

export const SignedUp = z.object({
  success: z.literal(true),
  message: z.string(),
  duckling_id: z.string(),
  token: z.string(),
  expires_at: instant,
  trust_tier: tier,
})

/** The token of a mailed link. Only its length is checked here, and the database decides whether it is valid. */
export const linkToken = z.string().min(1, 'must not be empty').max(200)

/** The body of `POST /beak/profile/update`. An empty bio counts as null. */
export const ProfileChange = z.strictObject({
  display_name: displayName.optional(),
  full_name: fullName.nullable().optional(),
  bio: text(0, 280)
    .transform((bio) => (bio === '' ? null : bio))
    .nullable()
    .optional(),
  directory_visible: z.boolean().optional(),
  findable_by_email: z.boolean().optional(),
  require_passkey_for_pecks: z.boolean().optional(),
  builder: z.boolean().optional(),
  min_peck_tier: tier.optional(),
})

/** The body of `POST /beak/name-change`. */
export const NameChangeRequest = z
  .strictObject({ new_display_name: displayName.optional(), full_name: fullName.nullable().optional() })
  .refine((body) => body.new_display_name !== undefined || body.full_name !== undefined, {
    path: ['new_display_name'],
    message: 'is required, unless you send full_name',
    when: always,
  })

/** Returns the columns of a profile change, without the names. A column that does not change is undefined. */
export function profileColumns(change: z.output<typeof ProfileChange>): Prisma.DucklingUpdateInput {
  return {
    bio: change.bio,
    directoryVisible: change.directory_visible,
    findableByEmail: change.findable_by_email,
    requirePasskeyForPecks: change.require_passkey_for_pecks,
    builder: change.builder,
    minPeckTier: change.min_peck_tier,
  }
}

const certStatus = z.enum(['none', 'active', 'revoked', 'superseded'])

/** A duckling's profile as its owner sees it. */
export const Profile = z
  .object({
    duckling_id: z.string(),
    display_name: z.string(),
    full_name: z
      .string()
      .nullable()
      .meta({ description: 'The name in any script that people see, or null.' }),
    handle: z.string().nullable(),
    email: z.string().nullable(),
    email_verified: z.boolean(),
    phone_verified: z.boolean(),
    trust_tier: tier,
    cert_id: z.string().nullable(),
    cert_status: certStatus,
    egg_count: z.int(),
    referral_code: z.string(),
    bio: z.string().nullable(),
    directory_visible: z.boolean(),
    findable_by_email: z.boolean().meta({ description: 'People who know your email address can find you.' }),
    require_passkey_for_pecks: z.boolean(),
    builder: z.boolean().meta({ description: 'Pages show you the parts for builders and hosts.' }),
    min_peck_tier: tier,
    created_at: instant,
    next_name_change_at: instant.nullable(),
    next_handle_change_at: instant.nullable(),
  })
  .meta({ id: 'Profile' })

export type ProfileInput = z.input<typeof Profile>

/** What a `read:profile` grant shows: no settings and no referral code, and `email` only if the params ask for it. */
export const GrantedProfile = Profile.pick({
  duckling_id: true,
  display_name: true,
  full_name: true,
  email: true,
  trust_tier: true,
  cert_id: true,
  cert_status: true,
  egg_count: true,
  bio: true,
  created_at: true,
})
  .partial({ email: true })
  .meta({ id: 'GrantedProfile' })

export type GrantedProfileInput = z.input<typeof GrantedProfile>

/** What a profile shows of a duckling. */
export interface ProfileRow {
  id: string
  displayName: string
  fullName: string | null
  handle: string | null
  email: string | null
  emailVerifiedAt: Date | null
  phoneVerifiedAt: Date | null
  trustTier: Tier
  eggCount: number
  referralCode: string
  bio: string | null
  directoryVisible: boolean
  findableByEmail: boolean
  requirePasskeyForPecks: boolean
  builder: boolean
  minPeckTier: Tier
  createdAt: Date
  nextNameChangeAt: Date | null
  /** When the account chose its handles: the newest three. */
  handleClaims: Date[]
  /** The newest certificate. */
  certId: string | null
  certStatus: CertificateStatus | null
}

/** Returns what the profiles of these ducklings show. */
export function readProfiles(tx: Tx, ids: string[]): Promise<ProfileRow[]> {
  return tx.rows`${profilesWith(sql``, ids)}`
}

/** Returns the statement for the profiles of `ids`. `extraColumns` may use the duckling as `d`. */
export function profilesWith(extraColumns: Sql, ids: string[]): Sql {
  return sql`
    SELECT d."id", d."displayName", d."fullName", d."email", d."emailVerifiedAt", d."phoneVerifiedAt", d."trustTier", d."eggCount", d."referralCode", d."bio",
      d."directoryVisible", d."findableByEmail", d."requirePasskeyForPecks", d."builder", d."minPeckTier", d."createdAt", d."nextNameChangeAt", d."handle", coalesce(d."handleClaims", '{}') AS "handleClaims", c."id" AS "certId", c."status" AS "certStatus"${extraColumns}
    FROM "Duckling" d
    LEFT JOIN LATERAL (
      SELECT "id", "status" FROM "Certificate" WHERE "ducklingId" = d."id" ORDER BY "id" DESC LIMIT 1) c ON true
    WHERE d."id" = ANY(${ids}::text[])`
}

/** Returns a duckling's profile in wire form. */
export function presentProfile(row: ProfileRow, now: Date): ProfileInput {
  const next = row.nextNameChangeAt
  return {
    duckling_id: row.id,
    display_name: row.displayName,
    full_name: row.fullName,
    handle: row.handle,
    email: row.email,
    email_verified: row.emailVerifiedAt !== null,
    phone_verified: row.phoneVerifiedAt !== null,
    trust_tier: row.trustTier,
    cert_id: row.certId,
    cert_status: row.certStatus ?? 'none',
    egg_count: row.eggCount,
    referral_code: row.referralCode,
    bio: row.bio,
    directory_visible: row.directoryVisible,
    findable_by_email: row.findableByEmail,
    require_passkey_for_pecks: row.requirePasskeyForPecks,
    builder: row.builder,
    min_peck_tier: row.minPeckTier,
    created_at: row.createdAt,
    next_name_change_at: next !== null && next > now ? next : null,
    next_handle_change_at: nextHandleChange(row.handleClaims, now),
  }
}

/** Returns the part of a profile that a grant shows. */
export function presentGrantedProfile(profile: ProfileInput, withEmail: boolean): GrantedProfileInput {
  return {
    duckling_id: profile.duckling_id,
    display_name: profile.display_name,
    full_name: profile.full_name,
    ...(withEmail ? { email: profile.email } : {}),
    trust_tier: profile.trust_tier,
    cert_id: profile.cert_id,
    cert_status: profile.cert_status,
    egg_count: profile.egg_count,
    bio: profile.bio,
    created_at: profile.created_at,
  }
}

/** Returns what the profile of a duckling shows. Throws when it is missing, so use it only for ids that exist. */
export async function getDuckling(tx: Tx, id: string): Promise<ProfileRow> {
  const [row] = await readProfiles(tx, [id])
  if (row === undefined) throw new Error(`no duckling ${id}`)
  return row
}

/** The answer to a request for a code. */
export const CodeSent = z
  .object({
    success: z.literal(true),
    message: z.string(),
    expires_in: z.int().meta({ description: 'Seconds the code is valid' }),
    resend_after: z.int().meta({ description: 'Seconds to wait before asking for another' }),
  })
  .meta({ id: 'CodeSent' })

export type CodeSentInput = z.input<typeof CodeSent>

/** Returns the answer to a request for a code, with that message. */
export function presentCodeSent(message: string): CodeSentInput {
  return {
    success: true,
    message,
    expires_in: codeLifetimeSeconds,
    resend_after: resendAfterSeconds,
  }
}

/** A duckling in the public directory. It has exactly these fields, so that it reveals nothing else (security bar, check-35). */
export const DirectoryEntry = z
  .object({
    duckling_id: z.string().meta({ description: '`DUCK-…` and the last four characters' }),
    display_name: z.string(),
    full_name: z.string().optional().meta({ description: 'The name in any script, if the person has one.' }),
    handle: z.string().optional().meta({ description: 'Without `@`, if the person has one.' }),
    trust_tier: tier,
    certified: z.boolean(),
    bonded_agents: z.int(),
    joined: z.string().meta({ description: 'Year and month, `YYYY-MM`' }),
  })
  .meta({ id: 'DirectoryEntry' })

export type DirectoryEntryInput = z.input<typeof DirectoryEntry>

/** A row of the directory. */
export interface ListedRow
  extends Pick<Duckling, 'id' | 'displayName' | 'fullName' | 'handle' | 'trustTier' | 'createdAt'> {
  certified: boolean
  bondedAgents: number
}

/** Returns a listed duckling as an entry of the directory. */
export function presentEntry(row: ListedRow): DirectoryEntryInput {
  return {
    duckling_id: maskId(row.id),
    display_name: row.displayName,
    ...(row.fullName === null ? {} : { full_name: row.fullName }),
    ...(row.handle === null ? {} : { handle: row.handle }),
    trust_tier: row.trustTier,
    certified: row.certified,
    bonded_agents: row.bondedAgents,
    joined: row.createdAt.toISOString().slice(0, 7),
  }
}

/** A sign-in with a mailed code or a password. */
export const SignIn = z
  .strictObject({
    email,
    otp: otpCode.optional(),
    password: z.string().max(128).optional(),
    device_token: DeviceToken.optional(),
  })
  .refine((body) => (body.otp === undefined) !== (body.password === undefined), {
    path: ['otp'],
    message: 'send either otp or password',
    when: always,
  })
