import type { Tx } from '@/lib/db/client'
import type { Tier } from '@/lib/kernel/tier'

export interface Owner {
  displayName: string
  fullName: string | null
  trustTier: Tier
  deletedAt: Date | null
}

/**
 * Locks a duckling's row until the transaction ends and returns it. So issuing, revoking and closing the account run one after the
 * other.
 */
export async function lockOwner(tx: Tx, ducklingId: string): Promise<Owner> {
  const [owner] = await tx.rows<Owner>`
    SELECT "displayName", "fullName", "trustTier"::text AS "trustTier", "deletedAt" FROM "Duckling"
    WHERE "id" = ${ducklingId} FOR NO KEY UPDATE`
  if (!owner) throw new Error(`there is no duckling ${ducklingId}`)
  return owner
}
