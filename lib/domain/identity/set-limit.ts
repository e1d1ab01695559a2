import { transaction } from '@/lib/db/transaction'
import { record, systemActor } from '@/lib/infrastructure/events/record'
import type { Rate } from '@/lib/kernel/config/limit-table'
import type { AnonymousContext } from '@/lib/kernel/context'

/**
 * Sets the request limit of an enterprise account (spec section 8). Null restores the configured limit. Both numbers must be
 * integers. Throws `duckling_not_found`, also for a closed account.
 */
export function setLimit(
  context: AnonymousContext<'duckling_not_found'>,
  ducklingId: string,
  rate: Rate | null,
): Promise<void> {
  return transaction(async (tx) => {
    const { count } = await tx.duckling.updateMany({
      where: { id: ducklingId, deletedAt: null },
      data: { limitRate: rate?.perMinute ?? null, limitBurst: rate?.burst ?? null },
    })
    if (count !== 1) throw context.fail('duckling_not_found')
    record(tx, context, 'duckling.updated', {
      concerning: [ducklingId],
      actor: systemActor,
      targets: [{ type: 'duckling', id: ducklingId }],
      metadata: { limit_rate: rate?.perMinute ?? null, limit_burst: rate?.burst ?? null },
    })
  })
}
