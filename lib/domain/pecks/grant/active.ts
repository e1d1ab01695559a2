import { type Sql, sql } from '@/lib/db/sql'

/** Tells in SQL whether a permission has no use left. */
export const isUsedUp = sql`("maxUses" IS NOT NULL AND "uses" >= "maxUses")`

/**
 * Tells in SQL whether a peck gives an active permission, as `grantStatusOf` computes it. Contains the conditions of the index
 * "Peck_living_grants_idx", so that no expired permission is read.
 */
export function isActiveGrant(now: Date): Sql {
  return sql`"status" = 'approved' AND "grantRevokedAt" IS NULL AND NOT ${isUsedUp}
    AND ("grantExpiresAt" IS NULL OR "grantExpiresAt" > ${now}::timestamptz)`
}
