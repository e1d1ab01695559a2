import { transaction } from '@/lib/db/transaction'
import { type BlockAnswerInput, presentBlock } from '@/lib/domain/pecks/schema'
import { record } from '@/lib/infrastructure/events/record'
import type { DucklingContext } from '@/lib/kernel/context'

/** Shows new pecks of a blocked duckling to the caller again. Throws `block_missing`. */
export function unblockDuckling(
  context: DucklingContext<'block_missing'>,
  ducklingId: string,
): Promise<BlockAnswerInput> {
  const { caller } = context
  return transaction(async (tx) => {
    const { count } = await tx.peckBlock.deleteMany({
      where: { ducklingId: caller.id, blockedDucklingId: ducklingId },
    })
    if (count !== 1) throw context.fail('block_missing')
    record(tx, context, 'peck.unblocked', { targets: [{ type: 'duckling', id: ducklingId }] })
    return presentBlock(ducklingId, false)
  })
}
