import { z } from 'zod'
import type { Tx } from '@/lib/db/client'
import { sql } from '@/lib/db/sql'
import { beforeCommit, transaction } from '@/lib/db/transaction'
import { recordPeck } from '@/lib/domain/pecks/record'
import { changePeck, lockPeck, type PeckRow, readPecks, requireTarget } from '@/lib/domain/pecks/rows'
import { askerId, type PeckInput, presentPeck } from '@/lib/domain/pecks/schema'
import { grantStatusOf, statusOf } from '@/lib/domain/pecks/state'
import { returnUse } from '@/lib/domain/rules/charge'
import { enqueueRevocation } from '@/lib/domain/tlog/enqueue'
import type { DucklingContext } from '@/lib/kernel/request/context'
import { instant } from '@/lib/kernel/request/fields'
import { isActiveGrant } from './active'

/** Revokes a permission that the caller gave. The next use fails. Throws `peck_not_found`, `not_the_target` or `grant_not_active`. */
export function revokeGrant(
  context: DucklingContext<'peck_not_found' | 'not_the_target' | 'grant_not_active'>,
  peckId: string,
): Promise<PeckInput> {
  const { now } = context
  return transaction(async (tx) => {
    const peck = requireTarget(context, await lockPeck(tx, peckId))
    const status = grantStatusOf(peck, now) ?? statusOf(peck, now)
    if (status !== 'active') throw context.fail('grant_not_active', { current_status: status })
    const revoked = changePeck(tx, peck, { grantRevokedAt: now })
    if (peck.ruleId !== null && peck.uses === 0) returnUse(tx, peck.id)
    recordPeck(tx, context, 'peck.revoked', revoked, { metadata: enqueueRevocation(tx, revoked, now) })
    return presentPeck(revoked, now)
  })
}

/** Revokes all permissions of one asker in one transaction. */

/** One call revokes at most this many, because both logs get an event for each. */
const revokedMax = 1000

export const RevokeAll = z.strictObject({ asker: askerId })

export const RevokedPermissions = z.object({
  items: z.array(
    z
      .object({
        peck_id: z.string(),
        action: z.string(),
        uses: z.int().meta({ description: 'How often the permission had been used.' }),
        last_used_at: instant.nullable(),
      })
      .meta({ id: 'RevokedPermission' }),
  ),
  has_more: z.boolean().meta({ description: 'Permissions of the asker are left: call it again.' }),
})

/**
 * Revokes the active permissions that the caller gave to an agent, or to a person without an agent, the oldest first. Their next use fails.
 * Returns none for an asker without active permissions, whether or not the asker exists.
 */
export function revokeAll(
  context: DucklingContext,
  asker: string,
): Promise<z.input<typeof RevokedPermissions>> {
  const { caller, now } = context
  return transaction(async (tx) => {
    const found = await lockActiveGrants(tx, caller.id, asker, now)
    const revoked = found.slice(0, revokedMax).map((peck) => ({ ...peck, grantRevokedAt: now }))
    const ids = revoked.map(({ id }) => id)
    if (ids.length > 0)
      beforeCommit(
        tx,
        sql`UPDATE "Peck" SET "grantRevokedAt" = ${now}::timestamptz WHERE "id" = ANY(${ids}::text[])`,
      )
    for (const peck of revoked) {
      if (peck.ruleId !== null && peck.uses === 0) returnUse(tx, peck.id)
      recordPeck(tx, context, 'peck.revoked', peck, { metadata: enqueueRevocation(tx, peck, now) })
    }
    return {
      items: revoked.map(({ id, action, uses, lastUsedAt }) => ({
        peck_id: id,
        action,
        uses,
        last_used_at: lastUsedAt,
      })),
      has_more: found.length > revokedMax,
    }
  })
}

/**
 * Locks the permissions, so that a use either ends before and is counted, or fails. Locks them in the order of their ids, as other commands
 * do. Returns one more than may be revoked, which shows that some are left.
 */
async function lockActiveGrants(tx: Tx, targetId: string, asker: string, now: Date): Promise<PeckRow[]> {
  const rows = await readPecks(
    tx,
    sql`SELECT * FROM "Peck" WHERE "targetDucklingId" = ${targetId} AND "askerId" = ${asker} AND NOT "blocked"
      AND ${isActiveGrant(now)} ORDER BY "id" LIMIT ${revokedMax + 1} FOR NO KEY UPDATE`,
  )
  return rows.reverse()
}
