/** Decisions on several requests, and their outcomes in words. */
import type { ResponseOf } from '@/app/beak/_api/lines'

export type BulkDecision = 'approve' | 'reject'
export type BulkOutcome = ResponseOf<'POST /beak/peck/decide'>['items'][number]

/** What a server action that got no answer stands for. */
export const unreachable = {
  ok: false,
  message: 'Beak could not be reached. Check your connection and try again.',
} as const

/** The API decides at most this many requests in one call. */
export const chunkSize = 100

const elsewhere: Record<string, string> = {
  approved: 'Already approved',
  rejected: 'Already rejected',
  cancelled: 'Withdrawn',
  expired: 'Expired',
  // It was put off, or it came back.
  pending: 'In another list',
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

/** Returns what the list says after the dialog: "Approved: 3 requests." */
export const bulkWords = (decision: BulkDecision, count: number) =>
  `${decision === 'approve' ? 'Approved' : 'Rejected'}: ${requestCount(count)}.`
