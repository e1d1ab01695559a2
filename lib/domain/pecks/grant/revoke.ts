import { Prisma } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { currentGrantStatus, updateActiveGrant } from '@/lib/domain/pecks/decide/transition'
import { recordPeck } from '@/lib/domain/pecks/record'
import { getPeckAsTarget } from '@/lib/domain/pecks/rows'
import { type PeckInput, presentPeck } from '@/lib/domain/pecks/schema'
import type { DucklingContext } from '@/lib/kernel/context'

/** Revokes a permission that the caller gave. The next use fails. Throws `peck_missing`, `not_the_target` or `grant_not_active`. */
export function revokeGrant(
  context: DucklingContext<'peck_missing' | 'not_the_target' | 'grant_not_active'>,
  peckId: string,
): Promise<PeckInput> {
  const { now } = context
  return transaction(async (tx) => {
    const peck = await getPeckAsTarget(tx, context, peckId)
    const change = Prisma.sql`"grantRevokedAt" = ${now}::timestamptz`
    const revoked = await updateActiveGrant(tx, peck, now, change)
    if (revoked === null)
      throw context.fail('grant_not_active', { current_status: await currentGrantStatus(tx, peck, now) })
    recordPeck(tx, context, 'peck.revoked', revoked)
    return presentPeck(revoked, now)
  })
}
