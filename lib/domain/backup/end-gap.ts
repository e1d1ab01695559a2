import { sql } from '@/lib/db/sql'
import { transaction } from '@/lib/db/transaction'
import { isActiveGrant } from '@/lib/domain/pecks/grant/active'
import { recordPeck } from '@/lib/domain/pecks/record'
import { readPecks } from '@/lib/domain/pecks/rows'
import { enqueueRevocation } from '@/lib/domain/tlog/enqueue'
import { systemActor } from '@/lib/infrastructure/events/record'
import { systemContext } from '@/lib/kernel/context'

const batch = 200

/**
 * Revokes every permission that was given until then and can still be used: a use or a revocation of it may be lost. Uses by rules do not go
 * back, because they may have happened. Returns the number. A second call changes nothing.
 */
export async function endGap(until: Date, now: Date): Promise<number> {
  for (let total = 0; ; ) {
    const count = await transaction(async (tx) => {
      const revoked = await readPecks(
        tx,
        sql`UPDATE "Peck" SET "grantRevokedAt" = ${now}::timestamptz
          WHERE "id" IN (
            SELECT "id" FROM "Peck" WHERE ${isActiveGrant(now)} AND "decidedAt" <= ${until}::timestamptz
            ORDER BY "id" LIMIT ${batch} FOR NO KEY UPDATE)
          RETURNING *`,
      )
      const ids = revoked.map(({ id }) => id)
      if (ids.length > 0)
        await tx.run`UPDATE "RuleUse" SET "state" = 'spent' WHERE "peckId" = ANY(${ids}::text[]) AND "state" = 'reserved'`
      for (const peck of revoked)
        recordPeck(tx, systemContext(now), 'peck.revoked', peck, {
          actor: systemActor,
          cause: 'restored',
          metadata: enqueueRevocation(tx, peck, now),
        })
      return ids.length
    })
    total += count
    if (count < batch) return total
  }
}
