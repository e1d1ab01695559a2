import type { Tx } from '@/lib/db/client'
import { noLongerPending } from '@/lib/domain/pecks/held'
import { changePeck, type PeckChange, type PeckRow } from '@/lib/domain/pecks/rows'
import { statusForChange } from '@/lib/domain/pecks/state'
import type { Context, OperatorContext } from '@/lib/kernel/context'

/**
 * Throws `peck_not_pending`, with the current status. A rejection that can no longer be undone counts. `now` must be read after the peck was
 * locked: the body and the lock may have taken so long that the asker has read another status.
 */
export function requirePending({ now, fail }: OperatorContext<'peck_not_pending'>, peck: PeckRow): void {
  const status = statusForChange(peck, now)
  if (status !== 'pending') throw fail('peck_not_pending', { current_status: status })
}

/** Ends the pending state of a locked peck, which the caller found pending, and returns it with its new columns. */
export function leavePending(
  tx: Tx,
  { now }: Pick<Context, 'now'>,
  peck: PeckRow,
  change: PeckChange,
): PeckRow {
  return changePeck(tx, peck, { ...noLongerPending, decidedAt: now, ...change, pendingKey: null })
}
