import type { Tx } from '@/lib/db/client'
import type { DucklingContext } from '@/lib/kernel/context'

/**
 * Records that this session changed settings of an account with an unverified address. The first proof of the address resets settings
 * that another session changed. Does nothing when the address is verified.
 */
export async function recordSettingsChange(tx: Tx, { caller }: DucklingContext): Promise<void> {
  await tx.run`
    UPDATE "Duckling" SET "settingsSessionIds" = array_append("settingsSessionIds", ${caller.sessionId})
    WHERE "id" = ${caller.id} AND "emailVerifiedAt" IS NULL
      AND NOT (${caller.sessionId} = ANY(coalesce("settingsSessionIds", '{}')))`
}
