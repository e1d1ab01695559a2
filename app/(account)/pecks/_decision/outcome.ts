import { defaultReason } from './default-reason'

/** What the viewer has just decided on this page. */
export type Decided =
  | { kind: 'approved' | 'rejected' | 'snoozed' }
  /** Rejected, and the requester is blocked as well. */
  | { kind: 'blocked'; duckling: { id: string; name: string } }
  /** Rejected, but the block failed. */
  | { kind: 'block_failed' }
  /** The block that came with the rejection was undone. The rejection stays. */
  | { kind: 'unblocked' }

/** What happened to a request that is no longer pending, as its card shows it. */
export interface Outcome {
  /** `reopened`: the request waits for an answer again. */
  status: 'approved' | 'rejected' | 'expired' | 'cancelled' | 'undone' | 'snoozed' | 'reopened' | 'unknown'
  message: string
  /** The viewer has just decided here, so the message receives the focus. */
  isOwn: boolean
  hasReceipt?: boolean
  /** For how many seconds the decision can be undone here. */
  undoSeconds?: number
  /** Missing when the request was decided elsewhere, has ended or was undone. */
  decided?: Decided
}

/** Afterwards a permission can still be revoked on its page. A rejection is final. */
export const undoSeconds = 10

const messagesElsewhere: Record<string, string> = {
  approved: 'Already approved in another window or on another device.',
  rejected: 'Already rejected in another window or on another device.',
  expired: 'Expired without an answer.',
  cancelled: 'Withdrawn by the requester.',
  pending: 'This request is in another list now.',
}

/** Returns the outcome of a request that was not decided on this page. */
export function outcomeElsewhere(status: string): Outcome {
  const message = messagesElsewhere[status]
  return message === undefined
    ? { status: 'unknown', message: 'This request is no longer pending.', isOwn: false }
    : { status: status === 'pending' ? 'unknown' : (status as Outcome['status']), message, isOwn: false }
}

const ownMessages: Record<string, string> = {
  approved: 'You approved this request.',
  rejected: 'You rejected this request.',
}

interface DecidedPeck {
  status: string
  grant_status: string | null
  reason: string | null
  decided_at: string | null
}

/** Returns the outcome of a request that was decided before the page was opened. A fresh approval can still be undone. */
export function outcomeOf({ status, grant_status, reason, decided_at }: DecidedPeck, now: Date): Outcome {
  const outcome = outcomeElsewhere(status)
  if (grant_status === 'revoked')
    return {
      status: 'undone',
      message: 'You approved this request and revoked the permission.',
      isOwn: false,
    }
  const message = ownMessages[status] ?? outcome.message
  const age = decided_at === null ? undoSeconds : (now.getTime() - Date.parse(decided_at)) / 1000
  const left = Math.floor(undoSeconds - age)
  return {
    ...outcome,
    message: reason === null || reason === defaultReason ? message : `${message} Reason: “${reason}”`,
    ...(grant_status === 'active' && left > 0 ? { undoSeconds: left } : {}),
  }
}

/** Returns the outcome of a rejection that the server still keeps, when the page is opened meanwhile. Null: there is none. */
export function heldOutcome(
  { undo_until: until }: { undo_until?: string | undefined },
  now: Date,
): Outcome | null {
  if (until === undefined) return null
  const left = Math.floor((Date.parse(until) - now.getTime()) / 1000)
  return {
    status: 'rejected',
    message: 'Rejected.',
    isOwn: false,
    ...(left > 0 ? { undoSeconds: left } : {}),
  }
}

/** Returns what an undone approval had allowed meanwhile. `uses`: how often the permission was used. */
export function undoneMessage(uses: number): string {
  if (uses === 0) return 'Approval revoked. The permission was not used.'
  const times = uses === 1 ? 'once' : uses === 2 ? 'twice' : `${uses} times`
  return `The permission had already been used ${times}. It can't be used again.`
}
