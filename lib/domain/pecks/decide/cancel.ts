import { transaction } from '@/lib/db/transaction'
import { recordPeck } from '@/lib/domain/pecks/record'
import { lockPeck, requireAsker } from '@/lib/domain/pecks/rows'
import { type PeckInput, presentPeck } from '@/lib/domain/pecks/schema'
import type { DucklingContext } from '@/lib/kernel/context'
import { leavePending, requirePending } from './transition'

/** Cancels a pending peck of the caller or of one of their agents. Throws `peck_not_found`, `not_the_asker` or `peck_not_pending`. */
export function cancelPeck(
  context: DucklingContext<'peck_not_found' | 'not_the_asker' | 'peck_not_pending'>,
  peckId: string,
): Promise<PeckInput> {
  return transaction(async (tx) => {
    const peck = requireAsker(context, await lockPeck(tx, peckId))
    requirePending(context, peck)
    const cancelled = leavePending(tx, context, peck, { status: 'cancelled' })
    recordPeck(tx, context, 'peck.cancelled', cancelled)
    return presentPeck(cancelled, context.now)
  })
}
