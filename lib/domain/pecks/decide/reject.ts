import { transaction } from '@/lib/db/transaction'
import { recordPeck } from '@/lib/domain/pecks/record'
import { lockPeck, requireTarget } from '@/lib/domain/pecks/rows'
import { type PeckInput, presentPeck } from '@/lib/domain/pecks/schema'
import type { DucklingContext } from '@/lib/kernel/context'
import { leavePending } from './transition'

/** Rejects a peck with a reason that the asker can read. Throws `peck_missing`, `not_the_target` or `peck_not_pending`. */
export function rejectPeck(
  context: DucklingContext<'peck_missing' | 'not_the_target' | 'peck_not_pending'>,
  peckId: string,
  reason: string,
): Promise<PeckInput> {
  const { caller, now } = context
  return transaction(async (tx) => {
    const peck = requireTarget(context, await lockPeck(tx, peckId))
    const rejected = leavePending(tx, context, peck, {
      status: 'rejected',
      reason,
      decidedBySession: caller.sessionId,
    })
    recordPeck(tx, context, 'peck.rejected', rejected)
    return presentPeck(rejected, now)
  })
}
