/** The codes that somebody can spend. */
import { type Sql, sql } from '@/lib/db/sql'
import { accepted, fieldOf, type SpendPurpose, spentColumns } from './purposes'

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
