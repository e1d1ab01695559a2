import { type Sql, sql } from '@/lib/db/sql'

/** Tells in SQL whether a permission has no use left. */
export const isUsedUp = sql`("maxUses" IS NOT NULL AND "uses" >= "maxUses")`

/**
 * Returns the two parts of `isActiveGrant`, which exclude each other: permissions with an end, and those without. A statement for each part reads
 * one range of "Peck_living_grants_idx", or of "Peck_sent_grants_idx" for sent pecks.
 */
export function activeGrantParts(now: Date): Sql[] {
  const isKept = sql`"status" = 'approved' AND "grantRevokedAt" IS NULL AND NOT ${isUsedUp}`
  return [
    sql`${isKept} AND "grantExpiresAt" > ${now}::timestamptz`,
    sql`${isKept} AND "grantExpiresAt" IS NULL`,
  ]
}

/**
 * Tells in SQL whether a peck gives an active permission, as `grantStatusOf` computes it. For received pecks it contains the conditions of
 * the index "Peck_living_grants_idx", so that no expired permission is read. That index begins with the target, so for sent pecks the
 * planner would read it as a whole while it is small: `COALESCE` keeps it away.
 */
export function isActiveGrant(now: Date, side: 'received' | 'sent' = 'received'): Sql {
  const isKept =
    side === 'received' ? sql`"grantRevokedAt" IS NULL` : sql`COALESCE("grantRevokedAt" IS NULL, false)`
  return sql`"status" = 'approved' AND ${isKept} AND NOT "grantEndHandled" AND NOT ${isUsedUp}
    AND ("grantExpiresAt" IS NULL OR "grantExpiresAt" > ${now}::timestamptz)`
}
