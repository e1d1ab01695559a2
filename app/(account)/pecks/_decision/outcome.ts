/** What happened to a request that is no longer pending, as its card shows it. */
export interface Outcome {
  status: 'approved' | 'rejected' | 'expired' | 'cancelled' | 'unknown'
  message: string
  /** The viewer has just decided here, so the message receives the focus. */
  isOwn: boolean
  hasReceipt?: boolean
}

const messagesElsewhere: Record<string, string> = {
  approved: 'Already approved in another window or on another device.',
  rejected: 'Already rejected in another window or on another device.',
  expired: 'Expired without an answer.',
  cancelled: 'Withdrawn by the requester.',
}

/** Returns the outcome of a request that was not decided on this page. */
export function outcomeElsewhere(status: string): Outcome {
  const message = messagesElsewhere[status]
  return message === undefined
    ? { status: 'unknown', message: 'This request is no longer pending.', isOwn: false }
    : { status: status as Outcome['status'], message, isOwn: false }
}

const ownMessages: Record<string, string> = {
  approved: 'You approved this request.',
  rejected: 'You rejected this request.',
}

/** Returns the outcome of a request that was decided before the page was opened. */
export function outcomeOf({ status, reason }: { status: string; reason: string | null }): Outcome {
  const outcome = outcomeElsewhere(status)
  const message = ownMessages[status] ?? outcome.message
  return { ...outcome, message: reason === null ? message : `${message} Reason: “${reason}”` }
}
