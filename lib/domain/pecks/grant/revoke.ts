import { transaction } from '@/lib/db/transaction'
import { recordPeck } from '@/lib/domain/pecks/record'
import { changePeck, lockPeck, requireTarget } from '@/lib/domain/pecks/rows'
import { type PeckInput, presentPeck } from '@/lib/domain/pecks/schema'
import { grantStatusOf, statusOf } from '@/lib/domain/pecks/state'
import { returnUse } from '@/lib/domain/rules/charge'
import { enqueueRevocation } from '@/lib/domain/tlog/enqueue'
import type { DucklingContext } from '@/lib/kernel/context'

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
