/** The outcome of a request: the outcome that a receipt of version 2 proves, and its words. */

/** `consumed`: a permission for one use, which was used. `revoked`: a permission that was revoked. No receipt proves by whom. */
export type Outcome = 'approved' | 'rejected' | 'expired' | 'cancelled' | 'revoked' | 'consumed'
export const outcomes = [
  'approved',
  'rejected',
  'expired',
  'cancelled',
  'revoked',
  'consumed',
] as const satisfies readonly Outcome[]

/** The outcome in words for people. */
export const outcomeWords: Record<Outcome, string> = {
  approved: 'Approved',
  rejected: 'Rejected',
  expired: 'Expired without an answer',
  cancelled: 'Ended before it was answered',
  revoked: 'Approved, then revoked',
  consumed: 'Approved and used',
}

/** The decision that must have come before an outcome. Null: nobody decided. */
export const decisionOf: Record<Outcome, 'approve' | 'reject' | null> = {
  approved: 'approve',
  rejected: 'reject',
  expired: null,
  cancelled: null,
  revoked: 'approve',
  consumed: 'approve',
}
