import type { Tx } from '@/lib/db/client'
import { changePeck, type PeckChange, type PeckRow } from '@/lib/domain/pecks/rows'
import { statusOf } from '@/lib/domain/pecks/state'
import type { DucklingContext } from '@/lib/kernel/context'

/** Throws `peck_not_pending`, with the current status. */
export function requirePending({ now, fail }: DucklingContext<'peck_not_pending'>, peck: PeckRow): void {
  const status = statusOf(peck, now)
  if (status !== 'pending') throw fail('peck_not_pending', { current_status: status })
}

/** Ends the pending state of a locked peck and returns it with its new columns. Throws `peck_not_pending`. */
export function leavePending(
  tx: Tx,
  context: DucklingContext<'peck_not_pending'>,
  peck: PeckRow,
  change: PeckChange,
): PeckRow {
  requirePending(context, peck)
  return changePeck(tx, peck, { ...change, pendingKey: null, decidedAt: context.now })
}
