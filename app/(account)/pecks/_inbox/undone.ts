/** What undoing decisions did, and how to say it. */
import { m } from '@/lib/kernel/messages'

export interface Undone {
  /** Approvals that were undone. `by`: the request that waits in the same row. */
  again: { id: string; by: string }[]
  /** Permissions that were revoked, and whose requests did not come back. `uses`: null when somebody else revoked it before. */
  revoked: { id: string; uses: number | null }[]
  /** Those that had been used up. */
  consumed: string[]
  /** Those that are still active. */
  failed: string[]
  /** Requests whose rejection was taken back, or that were put off: they wait again. */
  reopened: string[]
}

export const nothingUndone: Undone = { again: [], revoked: [], consumed: [], failed: [], reopened: [] }

/** Returns in words what the undo of approvals did. */
export function undoneWords({ again, revoked, consumed, failed }: Undone): string {
  const isUsed = ({ uses }: { uses: number | null }) => uses !== null && uses > 0
  const used = revoked.filter(isUsed).length + consumed.length
  const all = again.length + revoked.length + consumed.length + failed.length
  return [
    again.length === 0 ? '' : againWords(again.length),
    used === 0
      ? ''
      : all === 1
        ? m.inbox_used_not_asked_again()
        : m.inbox_used_not_asked_again_many({ used }),
    revokedWords(revoked.length - revoked.filter(isUsed).length),
    failed.length === 0 ? '' : failedWords(failed.length),
  ]
    .filter(Boolean)
    .join(' ')
}

const againWords = (count: number) =>
  count === 1
    ? m.inbox_undone_the_request_waits_again()
    : m.inbox_undone_all_requests_wait_again({ all: count })

/** They were too old to be undone, or the time to answer them was over. */
function revokedWords(count: number): string {
  if (count === 0) return ''
  return count === 1 ? m.inbox_undo_only_revoked() : m.inbox_revoked_too_late_many({ count })
}

const failedWords = (count: number) =>
  count === 1 ? m.inbox_not_undone_one() : m.inbox_not_undone_many({ count })

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
    failed.length === 0 ? '' : m.inbox_undo_unreachable(),
  ]
    .filter(Boolean)
    .join(' ')
}

function lateWords(kind: 'rejected' | 'snoozed', count: number | null): string {
  if (kind === 'snoozed') {
    if (count === null) return m.inbox_the_request_has_ended_meanwhile()
    return count === 1 ? m.inbox_1_has_ended_meanwhile() : m.inbox_count_have_ended_meanwhile({ count })
  }
  if (count === null) return m.inbox_undo_too_late()
  return m.inbox_for_count_it_was_too_late({ count })
}
