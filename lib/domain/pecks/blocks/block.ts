import type { Tx } from '@/lib/db/client'
import { lockName, transaction } from '@/lib/db/transaction'
import { type BlockAnswerInput, presentBlock } from '@/lib/domain/pecks/blocks/schema'
import { pairLock } from '@/lib/domain/pecks/request/pair-lock'
import { recordSettingsChange } from '@/lib/domain/sessions/record-settings-change'
import { record } from '@/lib/infrastructure/events/record'
import { signal } from '@/lib/infrastructure/events/signals'
import type { DucklingContext, Fails } from '@/lib/kernel/context'
import { blockTargets, hideWaiting } from './hidden-pecks'

/**
 * Hides the waiting and all new pecks of a duckling and its agents from the caller. The blocked duckling is not told: its pecks stay
 * pending for the duckling until they expire. Blocking twice changes nothing. Throws `duckling_not_found`, or `invalid_request` for the
 * caller's own id.
 */
export function blockDuckling(
  context: DucklingContext<'duckling_not_found' | 'invalid_request'>,
  ducklingId: string,
): Promise<BlockAnswerInput> {
  const { caller, now } = context
  if (ducklingId === caller.id)
    throw context.fail('invalid_request', {
      errors: [{ field: 'duckling_id', message: 'must not be your own' }],
    })
  return transaction(async (tx) => {
    // A request that runs at the same time ends before, and is hidden too, or it begins after, and finds the block.
    await lockName(tx, pairLock(ducklingId, caller.id))
    await checkExists(tx, context, ducklingId)
    const { count } = await tx.peckBlock.createMany({
      data: {
        ducklingId: caller.id,
        blockedDucklingId: ducklingId,
        createdAt: now,
        sessionId: caller.sessionId,
      },
      skipDuplicates: true,
    })
    if (count !== 1) return { ...presentBlock(ducklingId, true), hidden_pecks: 0 }
    const hidden = await hideWaiting(tx, ducklingId, caller.id, now)
    await recordSettingsChange(tx, context)
    record(tx, context, 'peck.blocked', { targets: blockTargets(ducklingId, hidden) })
    signal(tx, caller.id)
    return { ...presentBlock(ducklingId, true), hidden_pecks: hidden.length }
  })
}

async function checkExists(tx: Tx, context: Fails<'duckling_not_found'>, id: string): Promise<void> {
  const found = await tx.duckling.findFirst({ where: { id, deletedAt: null }, select: { id: true } })
  if (found === null) throw context.fail('duckling_not_found')
}
