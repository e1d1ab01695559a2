import type { Tx } from '@/lib/db/client'
import type { DucklingContext } from '@/lib/kernel/context'

/**
 * Notes that this session has changed settings of an account whose address is not proven yet: at the first proof, settings that
 * another session changed go back to their defaults. Does nothing once the address is proven.
 */
export async function noteSettingsChange(tx: Tx, { caller }: DucklingContext): Promise<void> {
  await tx.$executeRaw`
    UPDATE "Duckling" SET "settingsSessionIds" = array_append("settingsSessionIds", ${caller.sessionId})
    WHERE "id" = ${caller.id} AND "emailVerifiedAt" IS NULL
      AND NOT (${caller.sessionId} = ANY(coalesce("settingsSessionIds", '{}')))`
}
