/** What codes are sent for and spent on. */

import type { Tx } from '@/lib/db/client'
import { type Sql, sql } from '@/lib/db/sql'
import { addressBlock } from '@/lib/kernel/request/host-name'
import { keyedHash } from '@/lib/kernel/secrets/secrets'

/** What a code is sent for. */
export type SendPurpose = 'signup' | 'verify_email' | 'signin' | 'phone' | 'email_change'
/** Purposes of codes that go by mail. */
export type MailPurpose = Exclude<SendPurpose, 'phone'>
/** What a code is spent on. */
export type SpendPurpose = Exclude<SendPurpose, 'signup'>

/** The codes that each purpose accepts. The code of the sign-up mail works once for verification and once for sign-in. */
export const accepted: Record<SpendPurpose, SendPurpose[]> = {
  verify_email: ['verify_email', 'signup'],
  signin: ['signin', 'signup'],
  phone: ['phone'],
  email_change: ['email_change'],
}

/** Returns the purposes that accept a code: sending a new one resets their tries. */
export function purposesServed(sent: SendPurpose): SpendPurpose[] {
  return (Object.keys(accepted) as SpendPurpose[]).filter((purpose) => accepted[purpose].includes(sent))
}

/** Returns the column that marks a code as spent. The sign-up code serves two purposes, so it is spent for each of them separately. */
export const fieldOf = (purpose: SpendPurpose) => (purpose === 'signin' ? 'signinSpentAt' : 'spentAt')

export const spentColumns = { spentAt: sql`"spentAt"`, signinSpentAt: sql`"signinSpentAt"` }

/** The codes that somebody can spend. */

/** Who tries to spend a code, and on what. */
export interface Spender {
  purpose: SpendPurpose
  /** The account, or null for an unknown address. Tries are counted and every step runs for both, so the time reveals nothing. */
  ducklingId: string | null
  /** What the tries are counted for: the account, the known device, or the pair of account or unknown address and network. */
  subject: string
  /** For a client that is no known device at sign-in: its network, and the account or unknown address whose tries are also counted over all. */
  network?: { key: string; account: string } | undefined
  /** The known device of the client. It may also spend codes that were requested without a device token. */
  deviceId?: string | null | undefined
  /** Only codes sent to this address: a text, or a fragment that reads it. */
  address?: string | Sql
}

export interface LiveCode {
  id: string
  address: string
  /** Hex. */
  codeHash: string | null
}

/**
 * Selects the two newest live codes as JSON, so that a late mail still works. A known device or a network also has its own two newest codes,
 * which codes that strangers request cannot replace.
 */
export function liveCodes(attempt: Spender, now: Date): Sql {
  const { deviceId, network } = attempt
  const isShared = sql`"deviceId" IS NULL`
  const isOwn = deviceId
    ? sql`"deviceId" = ${deviceId}`
    : network && sql`${isShared} AND "requester" = ${network.key}`
  const shared = sql`(${newestLiveCodes(attempt, isShared, now)})`
  const all = isOwn ? sql`(${newestLiveCodes(attempt, isOwn, now)}) UNION ALL ${shared}` : shared
  return sql`
    SELECT coalesce(json_agg(json_build_object('id', code."id", 'address', code."address", 'codeHash', encode(code."codeHash", 'hex'))), '[]')
    FROM (${all}) code`
}

function newestLiveCodes(
  { purpose, subject, ducklingId, address }: Spender,
  isRequested: Sql,
  now: Date,
): Sql {
  const sentTo = address === undefined ? sql`` : sql`AND "address" = ${address}`
  return sql`
    SELECT "id", "address", "codeHash" FROM "OtpCode"
    WHERE "ducklingId" = ${ducklingId ?? subject} AND ${isRequested}
      AND "purpose" = ANY(${accepted[purpose]}::"OtpPurpose"[]) ${sentTo}
      AND "deadAt" IS NULL AND ${spentColumns[fieldOf(purpose)]} IS NULL AND "expiresAt" > ${now}::timestamptz
    ORDER BY "createdAt" DESC LIMIT 2`
}

/** Resets tries, wrong codes and pauses, after a passkey sign-in. */
export async function clearGuard(
  tx: Tx,
  subjects: string[],
  purposes: SpendPurpose[],
  now: Date,
): Promise<void> {
  await tx.otpGuard.updateMany({
    where: {
      OR: [{ subject: { in: subjects } }, { account: { in: subjects } }],
      purpose: { in: purposes },
    },
    data: { tries: 0, failures: 0, pausedUntil: null, updatedAt: now },
  })
}

/** Who asks for a code or tries one: a known device, or a network. Each has codes and tries of its own for an address (contract A, OTP). */

/** Returns the key of the network of a client: a keyed hash of its address block, IPv4 /24 or IPv6 /48. */
export function networkKey(ip: string | null): string {
  return keyedHash('subject', addressBlock(ip)).toString('base64url')
}

/** Returns the subject that counts the tries of a network for an account or an unknown address. */
export function networkSubject(account: string, network: string): string {
  return `${account}@${network}`
}
