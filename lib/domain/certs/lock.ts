import type { Tx } from '@/lib/db/client'
import type { Tier } from '@/lib/kernel/context'

export interface Owner {
  displayName: string
  trustTier: Tier
  deletedAt: Date | null
}

/**
 * Reads a duckling and locks its row until the transaction ends: issuing, revoking and the closing of the account happen one
 * after the other, each seeing what the one before did.
 */
export async function lockOwner(tx: Tx, ducklingId: string): Promise<Owner> {
  const [owner] = await tx.$queryRaw<Owner[]>`
    SELECT "displayName", "trustTier"::text AS "trustTier", "deletedAt" FROM "Duckling"
    WHERE "id" = ${ducklingId} FOR NO KEY UPDATE`
  if (!owner) throw new Error(`there is no duckling ${ducklingId}`)
  return owner
}
