/** What became of a request that no longer waits, as the card in the list says it. */
export interface Settled {
  status: 'approved' | 'rejected' | 'expired' | 'cancelled' | 'gone'
  message: string
  /** The viewer did it just now, here: the message has the focus then. */
  isOwn: boolean
  hasReceipt?: boolean
}

const elsewhere: Record<string, string> = {
  approved: 'Approved in the meantime, in another window or on another device.',
  rejected: 'Rejected in the meantime, in another window or on another device.',
  expired: 'Its time ran out before an answer came.',
  cancelled: 'Taken back by the one who asked.',
}

/** What happened to it without this page. */
export function settledElsewhere(status: string): Settled {
  const message = elsewhere[status]
  return message === undefined
    ? { status: 'gone', message: 'No longer waiting.', isOwn: false }
    : { status: status as Settled['status'], message, isOwn: false }
}

const known: Record<string, string> = {
  approved: 'You approved this.',
  rejected: 'You rejected this.',
}

/** What is known of one that was settled before the page was opened. */
export function settledAs({ status, reason }: { status: string; reason: string | null }): Settled {
  const settled = settledElsewhere(status)
  const message = known[status] ?? settled.message
  return { ...settled, message: reason === null ? message : `${message} “${reason}”` }
}
