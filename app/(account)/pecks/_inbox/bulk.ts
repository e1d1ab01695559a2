/** Decisions on several requests, and their outcomes in words. */

import type { ResponseOf } from '@/app/beak/_api/lines'
import { m } from '@/lib/kernel/messages'
import { readersLocale } from '@/lib/kernel/text/time-words'

export type BulkDecision = 'approve' | 'reject'
export type BulkOutcome = ResponseOf<'POST /beak/peck/decide'>['items'][number]

/** What a server action that got no answer stands for. */
export const unreachable = {
  ok: false,
  get message() {
    return m.common_unreachable()
  },
} as const

/** The API decides at most this many requests in one call. */
export const chunkSize = 100

const elsewhere: Record<string, string> = {
  get approved() {
    return m.inbox_already_approved()
  },
  get rejected() {
    return m.inbox_already_rejected()
  },
  get cancelled() {
    return m.inbox_outcome_withdrawn()
  },
  get expired() {
    return m.inbox_outcome_expired()
  },
  // It was put off, or it came back.
  get pending() {
    return m.inbox_in_another_list()
  },
}

/** Returns the outcome of a request that is no longer pending, in words. */
export const statusWords = (status: string): string => elsewhere[status] ?? m.inbox_outcome_closed()

/** Returns the outcome of a request, in words. */
export function outcomeWords({ outcome, status }: BulkOutcome): string {
  switch (outcome) {
    case 'decided':
      return status === 'approved' ? m.inbox_outcome_approved() : m.inbox_outcome_rejected()
    case 'not_pending':
      return statusWords(status ?? '')
    case 'missing':
      return m.inbox_no_longer_there()
    case 'high_risk':
      return m.inbox_left_out_high_risk()
    case 'first_contact':
      return m.inbox_left_out_first_request_this_asker()
    case 'free_text':
      return m.inbox_left_out_free_text()
    case 'not_as_before':
      return m.inbox_left_out_not_as_before()
    case 'page_needed':
      return m.inbox_left_out_open_it_approve_it()
    case 'passkey_needed':
      return m.inbox_left_out_needs_your_passkey()
  }
}

/** "1 request", "3 requests", "1,200 requests". */
export function requestCount(count: number): string {
  return m.inbox_request_count({ count, shown: count.toLocaleString(readersLocale()) })
}

/** Returns what the list says after the dialog: "Approved: 3 requests." */
export const bulkWords = (decision: BulkDecision, count: number) =>
  (decision === 'approve' ? m.inbox_bulk_approved : m.inbox_bulk_rejected)({ requests: requestCount(count) })
