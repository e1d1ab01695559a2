/** What undoing approvals did to their permissions, and how to say it. */
import { m } from '@/lib/kernel/messages'

export interface Undone {
  /** Those that were revoked. `uses`: how often it had been used; null when somebody else revoked it before. */
  revoked: { id: string; uses: number | null }[]
  /** Those that had been used up. */
  consumed: string[]
  /** Those that are still active. */
  failed: string[]
  /** Requests whose rejection was taken back, or that were put off: they wait again. */
  reopened: string[]
}

/** Returns in words what an undo did. */
export function undoneWords({ revoked, consumed, failed }: Undone): string {
  const count = revoked.length
  const used = revoked.filter(({ uses }) => uses !== null && uses > 0).length + consumed.length
  const isKnown = revoked.every(({ uses }) => uses !== null)
  return [
    count === 0
      ? ''
      : count === 1
        ? m.inbox_approval_revoked()
        : m.inbox_count_permissions_revoked({ count }),
    used > 0 ? usedWords(used, count) : count > 0 && isKnown ? unusedWords(count) : '',
    failed.length === 0 ? '' : failedWords(failed.length),
  ]
    .filter(Boolean)
    .join(' ')
}

const unusedWords = (count: number) =>
  count === 1 ? m.inbox_the_permission_was_not_used() : m.inbox_none_was_used()

function usedWords(used: number, revoked: number): string {
  if (revoked <= 1 && used === 1) return m.inbox_permission_had_already_been_used_it()
  return m.inbox_used_had_already_been_used_cant({ used })
}

const failedWords = (count: number) =>
  count === 1 ? m.inbox_not_revoked_one() : m.inbox_not_revoked_many({ count })

/** What taking back rejections, or bringing back requests that were put off, did. */
export interface Reopened {
  /** They wait for an answer again. */
  reopened: string[]
  /** The requester has got the rejection, or the request has ended. */
  late: string[]
  /** Not undone. Trying again may help. */
  failed: string[]
}

/** Returns in words what became of the requests. */
export function reopenedWords(kind: 'rejected' | 'snoozed', { reopened, late, failed }: Reopened): string {
  const all = reopened.length + late.length + failed.length
  if (reopened.length === all)
    return all === 1
      ? m.inbox_undone_the_request_waits_again()
      : m.inbox_undone_all_requests_wait_again({ all })
  const isOne = all === 1
  return [
    reopened.length === 0 ? '' : m.inbox_count_of_all_requests_wait_again({ count: reopened.length, all }),
    late.length === 0 ? '' : lateWords(kind, isOne ? null : late.length),
    failed.length === 0
      ? ''
      : isOne
        ? m.inbox_not_undone()
        : m.inbox_count_were_not_undone({ count: failed.length }),
    failed.length === 0 ? '' : m.inbox_beak_cant_be_reached_or_has(),
  ]
    .filter(Boolean)
    .join(' ')
}

function lateWords(kind: 'rejected' | 'snoozed', count: number | null): string {
  if (kind === 'snoozed') {
    if (count === null) return m.inbox_the_request_has_ended_meanwhile()
    return count === 1 ? m.inbox_1_has_ended_meanwhile() : m.inbox_count_have_ended_meanwhile({ count })
  }
  if (count === null) return m.inbox_it_was_too_late_requester_has()
  return m.inbox_for_count_it_was_too_late({ count })
}
