import { m } from '@/lib/kernel/messages'
import { readersLocale } from '@/lib/kernel/text/time-words'

/** The reason that a rejection with one click sends. The requester reads it. */
export const defaultReason = 'Rejected without a reason.'

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
  /** The rule of the viewer that answered. */
  ruleId?: string
  /** The request that waits in place of an undone approval. */
  supersededBy?: string
}

/** Afterwards a permission can still be revoked on its page. A rejection is final. */
export const undoSeconds = 10

const messagesElsewhere: Record<string, string> = {
  get approved() {
    return m.decision_approved_elsewhere_note()
  },
  get rejected() {
    return m.decision_rejected_elsewhere_note()
  },
  get expired() {
    return m.decision_expired_without_an_answer()
  },
  get cancelled() {
    return m.decision_withdrawn_by_the_requester()
  },
  get pending() {
    return m.decision_moved_to_other_list()
  },
}

/** Returns the outcome of a request that was not decided on this page. */
export function outcomeElsewhere(status: string): Outcome {
  const message = messagesElsewhere[status]
  return message === undefined
    ? { status: 'unknown', message: m.decision_this_request_is_no_longer_pending(), isOwn: false }
    : { status: status === 'pending' ? 'unknown' : (status as Outcome['status']), message, isOwn: false }
}

const ownMessages: Record<string, string> = {
  get approved() {
    return m.decision_you_approved_this_request()
  },
  get rejected() {
    return m.decision_you_rejected_this_request()
  },
}

type RuleOutcome = Pick<Outcome, 'status' | 'message'>

const ruleOutcomes: Record<string, RuleOutcome> = {
  approved: {
    status: 'approved',
    get message() {
      return m.decision_your_rule_approved_this()
    },
  },
  rejected: {
    status: 'rejected',
    get message() {
      return m.decision_your_rule_rejected_this()
    },
  },
  revoked: {
    status: 'undone',
    get message() {
      return m.decision_your_rule_approved_this_revoked()
    },
  },
}

/** Returns the outcome of a request that a rule answered, with the rule in words. Null when a person answered. */
function outcomeOfRule({ status, grant_status, reason, decided_by }: DecidedPeck): Outcome | null {
  const outcome = ruleOutcomes[grant_status === 'revoked' ? 'revoked' : status]
  if (decided_by === undefined || outcome === undefined) return null
  const { message } = outcome
  return {
    status: outcome.status,
    message: reason === null ? message : m.decision_message_in_its_words({ message, reason }),
    isOwn: false,
    ruleId: decided_by.rule_id,
  }
}

interface DecidedPeck {
  status: string
  grant_status: string | null
  reason: string | null
  decided_at: string | null
  decided_by?: { rule_id: string } | undefined
  superseded_by?: string | undefined
}

/** Returns the outcome of a request that was decided before the page was opened. A fresh approval can still be undone. */
export function outcomeOf(peck: DecidedPeck, now: Date): Outcome {
  return outcomeOfRule(peck) ?? outcomeOfPerson(peck, now)
}

function outcomeOfPerson(peck: DecidedPeck, now: Date): Outcome {
  const { status, grant_status, reason, decided_at, superseded_by: supersededBy } = peck
  const outcome = outcomeElsewhere(status)
  if (supersededBy !== undefined)
    return { status: 'undone', message: m.decision_approval_undone_note(), isOwn: false, supersededBy }
  if (grant_status === 'revoked')
    return {
      status: 'undone',
      message: m.decision_you_approved_this_request_revoked_permission(),
      isOwn: false,
    }
  const message = ownMessages[status] ?? outcome.message
  const age = decided_at === null ? undoSeconds : (now.getTime() - Date.parse(decided_at)) / 1000
  const left = Math.floor(undoSeconds - age)
  return {
    ...outcome,
    message:
      reason === null || reason === defaultReason
        ? message
        : m.decision_message_reason_reason({ message, reason }),
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
    message: m.decision_rejected(),
    isOwn: false,
    ...(left > 0 ? { undoSeconds: left } : {}),
  }
}

/** Returns what an undone approval had allowed meanwhile. `uses`: how often the permission was used. */
export function undoneMessage(uses: number): string {
  if (uses === 0) return m.decision_approval_revoked_permission_was_not_used()
  return m.decision_revoked_after_use_note({
    uses,
    shown: uses.toLocaleString(readersLocale()),
  })
}

/** The decision that the viewer has just made in this tab, so that the inbox can also undo it. */

export interface RecentDecision {
  kind: 'approved' | 'rejected'
  peckId: string
  /** The action in words. */
  subject: string
  /** When the offer to undo it ends, in milliseconds since 1970. */
  until: number
}

const key = 'beak.decision'

// A browser may refuse access to its storage. Then only the page of the request offers to undo it.
function withStorage<T>(work: (storage: Storage) => T): T | null {
  try {
    return work(sessionStorage)
  } catch {
    return null
  }
}

export function rememberDecision(decision: RecentDecision): void {
  withStorage((storage) => storage.setItem(key, JSON.stringify(decision)))
}

export function forgetDecision(): void {
  withStorage((storage) => storage.removeItem(key))
}

/** Returns the decision that can still be undone, or null. */
export function findDecision(now: number): RecentDecision | null {
  const text = withStorage((storage) => storage.getItem(key)) ?? null
  if (text === null) return null
  const decision = JSON.parse(text) as RecentDecision
  return decision.until > now ? decision : null
}
