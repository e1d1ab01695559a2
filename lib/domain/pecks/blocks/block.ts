import type { Tx } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { type BlockAnswerInput, presentBlock } from '@/lib/domain/pecks/schema'
import { recordSettingsChange } from '@/lib/domain/sessions/record-settings-change'
import { record } from '@/lib/infrastructure/events/record'
import type { DucklingContext } from '@/lib/kernel/context'
import { fail } from '@/lib/kernel/failures'

/**
 * Lets no further peck of that duckling, or of its agents, reach the caller; it is not told. What is already waiting stays.
 * Blocking twice changes nothing. Throws `duckling_missing`, or `invalid_request` for oneself.
 */
export function blockDuckling(context: DucklingContext, ducklingId: string): Promise<BlockAnswerInput> {
  const { caller, now } = context
  if (ducklingId === caller.id)
    throw fail('invalid_request', { errors: [{ field: 'duckling_id', message: 'must not be your own' }] })
  return transaction(async (tx) => {
    await assertDuckling(tx, ducklingId)
    const { count } = await tx.peckBlock.createMany({
      data: { ducklingId: caller.id, blockedDucklingId: ducklingId, createdAt: now },
      skipDuplicates: true,
    })
    if (count === 1) {
      await recordSettingsChange(tx, context)
      await record(tx, context, 'peck.blocked', { targets: [{ type: 'duckling', id: ducklingId }] })
    }
    return presentBlock(ducklingId, true)
  })
}

async function assertDuckling(tx: Tx, id: string): Promise<void> {
  const found = await tx.duckling.findFirst({ where: { id, deletedAt: null }, select: { id: true } })
  if (found === null) throw fail('duckling_missing')
}
