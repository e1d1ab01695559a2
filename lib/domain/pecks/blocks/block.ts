import type { Tx } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { type BlockAnswerInput, presentBlock } from '@/lib/domain/pecks/schema'
import { recordSettingsChange } from '@/lib/domain/sessions/record-settings-change'
import { record } from '@/lib/infrastructure/events/record'
import type { DucklingContext, Fails } from '@/lib/kernel/context'

/**
 * Hides new pecks of a duckling and its agents from the caller. The blocked duckling is not told, and pecks that are already
 * pending stay visible. Blocking twice changes nothing. Throws `duckling_missing`, or `invalid_request` for the caller's own id.
 */
export function blockDuckling(
  context: DucklingContext<'duckling_missing' | 'invalid_request'>,
  ducklingId: string,
): Promise<BlockAnswerInput> {
  const { caller, now } = context
  if (ducklingId === caller.id)
    throw context.fail('invalid_request', {
      errors: [{ field: 'duckling_id', message: 'must not be your own' }],
    })
  return transaction(async (tx) => {
    await checkExists(tx, context, ducklingId)
    const { count } = await tx.peckBlock.createMany({
      data: { ducklingId: caller.id, blockedDucklingId: ducklingId, createdAt: now },
      skipDuplicates: true,
    })
    if (count === 1) {
      await recordSettingsChange(tx, context)
      record(tx, context, 'peck.blocked', { targets: [{ type: 'duckling', id: ducklingId }] })
    }
    return presentBlock(ducklingId, true)
  })
}

async function checkExists(tx: Tx, context: Fails<'duckling_missing'>, id: string): Promise<void> {
  const found = await tx.duckling.findFirst({ where: { id, deletedAt: null }, select: { id: true } })
  if (found === null) throw context.fail('duckling_missing')
}
