/** Decisions on several requests: which can be made together, and the outcome of each. */
import type { ResponseOf } from '@/app/beak/_api/lines'
import type { InboxRow } from './row'

export type BulkDecision = 'approve' | 'reject'
export type BulkOutcome = ResponseOf<'POST /beak/peck/decide'>['items'][number]

/** What a server action that got no answer stands for. */
export const unreachable = {
  ok: false,
  message: 'Beak could not be reached. Check your connection and try again.',
} as const

/** The API decides at most this many requests in one call. */
export const chunkSize = 100

export interface LeftOut {
  row: InboxRow
  reason: string
}

/** Splits the selected requests in those that can be decided together and those that a person must open, with the reason. */
export function splitForBulk(
  rows: InboxRow[],
  decision: BulkDecision,
): { included: InboxRow[]; leftOut: LeftOut[] } {
  const found = rows.map((row) => ({ row, reason: decision === 'approve' ? reasonToOpen(row) : null }))
  return {
    included: found.filter(({ reason }) => reason === null).map(({ row }) => row),
    leftOut: found.flatMap(({ row, reason }) => (reason === null ? [] : [{ row, reason }])),
  }
}

function reasonToOpen({ risk, isFirstContact, needsPasskey }: InboxRow): string | null {
  if (risk === 'high') return 'High risk'
  if (isFirstContact) return 'First request of this asker'
  return needsPasskey ? 'Needs your passkey' : null
}

const elsewhere: Record<string, string> = {
  approved: 'Already approved',
  rejected: 'Already rejected',
  cancelled: 'Withdrawn',
  expired: 'Expired',
}

/** Returns the outcome of a request that is no longer pending, in words. */
export const statusWords = (status: string): string => elsewhere[status] ?? 'Closed'

/** Returns the outcome of a request, in words. */
export function outcomeWords({ outcome, status }: BulkOutcome): string {
  switch (outcome) {
    case 'decided':
      return status === 'approved' ? 'Approved' : 'Rejected'
    case 'not_pending':
      return statusWords(status ?? '')
    case 'missing':
      return 'No longer there'
    case 'high_risk':
      return 'Left out: high risk'
    case 'first_contact':
      return 'Left out: first request of this asker'
    case 'page_needed':
      return 'Left out: open it to approve it'
    case 'passkey_needed':
      return 'Left out: needs your passkey'
  }
}

/** "1 request", "3 requests", "1,200 requests". */
export function requestCount(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'request' : 'requests'}`
}

/** Returns the title of the dialog: "Approve 3 requests?". */
export const bulkTitle = (decision: BulkDecision, count: number) =>
  `${decision === 'approve' ? 'Approve' : 'Say “Not now” to'} ${requestCount(count)}?`

/** Returns what the list says after the dialog: "Approved: 3 requests." */
export const bulkWords = (decision: BulkDecision, count: number) =>
  `${decision === 'approve' ? 'Approved' : 'Answered “Not now”'}: ${requestCount(count)}.`
