import { transaction } from '@/lib/db/transaction'
import { recordPeck } from '@/lib/domain/pecks/record'
import { lockPeck, requireAsker } from '@/lib/domain/pecks/rows'
import { type PeckInput, presentPeck } from '@/lib/domain/pecks/schema'
import { withCurrentTime } from '@/lib/kernel/clock'
import type { OperatorContext } from '@/lib/kernel/context'
import { leavePending, requirePending } from './transition'

/**
 * Cancels a pending peck of the caller. A person also cancels those of their agents, an agent only what it asked itself. A permission stays:
 * only the target takes it back. Throws `peck_not_found`, `not_the_asker` or `peck_not_pending`.
 */
export function cancelPeck(
  context: OperatorContext<'peck_not_found' | 'not_the_asker' | 'peck_not_pending'>,
  peckId: string,
): Promise<PeckInput> {
  return transaction(async (tx) => {
    const peck = requireAsker(context, await lockPeck(tx, peckId))
    const current = withCurrentTime(context)
    requirePending(current, peck)
    const cancelled = leavePending(tx, current, peck, { status: 'cancelled' })
    recordPeck(tx, current, 'peck.cancelled', cancelled)
    return presentPeck(cancelled, current.now)
  })
}
