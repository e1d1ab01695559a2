/**
 * A rejection that can still be undone. Before `rejectAt` the peck is pending for everybody, and `heldRejection` keeps what the rejection
 * will write. After `rejectAt` every read applies the rejection, even before the worker has updated the row.
 */
import type { PeckRow } from './rows'
import type { HeldRejection } from './state'

/** A peck whose rejection has taken effect, with the row perhaps not updated yet. */
export interface DueRejection {
  rejectAt: Date
  held: HeldRejection
}

/** Returns the rejection of a peck that has taken effect and that is not written to the row yet, or null. */
export function dueRejection(
  { rejectAt, heldRejection: held }: Pick<PeckRow, 'rejectAt' | 'heldRejection'>,
  now: Date,
): DueRejection | null {
  return rejectAt === null || held === null || rejectAt > now ? null : { rejectAt, held }
}

/** The columns that only a pending peck has, when it leaves the pending state. */
export const noLongerPending = { rejectAt: null, heldRejection: null, snoozedUntil: null }

/** Returns the columns of the rejected peck that both sides may see. */
export function rejectedColumns({ rejectAt, held }: DueRejection) {
  const { reason, wouldApprove, unclear } = held
  return {
    ...noLongerPending,
    status: 'rejected' as const,
    decidedAt: rejectAt,
    reason,
    wouldApprove,
    unclear,
  }
}

/** Returns the peck with a due rejection applied. */
export function settledAt(peck: PeckRow, now: Date): PeckRow {
  const due = dueRejection(peck, now)
  return due === null ? peck : { ...peck, ...rejectedColumns(due) }
}
