import type { Tx } from '@/lib/db/client'
import { changePeck, type PeckChange, type PeckRow } from '@/lib/domain/pecks/rows'
import { statusOf } from '@/lib/domain/pecks/state'
import type { DucklingContext } from '@/lib/kernel/context'

/** Throws `peck_not_pending`, with the current status. */
export function requirePending({ now, fail }: DucklingContext<'peck_not_pending'>, peck: PeckRow): void {
  const status = statusOf(peck, now)
  if (status !== 'pending') throw fail('peck_not_pending', { current_status: status })
}

/** Ends the pending state of a locked peck, which the caller found pending, and returns it with its new columns. */
export function leavePending(tx: Tx, { now }: DucklingContext, peck: PeckRow, change: PeckChange): PeckRow {
  return changePeck(tx, peck, { ...change, pendingKey: null, decidedAt: now })
}
