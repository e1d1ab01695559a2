/** The reason that a rejection with one click sends. The requester reads it. */
export const defaultReason = 'Rejected without a reason.'
