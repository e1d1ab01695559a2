/** What the forms say after a success, and before a block. */
import { m } from '@/lib/kernel/messages'
import { readersLocale } from '@/lib/kernel/text/time-words'

/** Says how many permissions were revoked and how many of them had been used. */
export function revokedWords(revoked: { uses: number }[], hasMore: boolean): string {
  if (revoked.length === 0) return m.requests_no_permission_was_active_any_more()
  const used = revoked.filter(({ uses }) => uses > 0).length
  const count = revoked.length
  return joined(
    m.requests_permissions_revoked({ count, shown: count.toLocaleString(readersLocale()) }),
    usedWords(used, count),
    hasMore ? m.requests_revoke_all_incomplete() : '',
  )
}

/** Returns sentences one after the other. */
const joined = (...sentences: string[]) => sentences.filter((sentence) => sentence !== '').join(' ')

function usedWords(used: number, all: number): string {
  if (used === 0)
    return all === 1 ? m.requests_it_had_not_been_used() : m.requests_none_of_them_had_been_used()
  if (used === all) return all === 1 ? m.requests_it_had_been_used() : m.requests_all_of_them_had_been_used()
  return m.requests_of_them_had_been_used({ count: used })
}

/** Says what a block has hidden. */
export function blockedWords(hidden: number): string {
  return joined(m.requests_blocked(), hiddenWords(hidden))
}

/** "2 waiting requests were hidden.", or an empty text. */
export function hiddenWords(hidden: number): string {
  return hidden === 0 ? '' : m.requests_were_hidden({ count: hidden })
}

/** Says what unblocking has brought back. */
export function unblockedWords(restored: number): string {
  return joined(
    m.requests_unblocked_their_requests_reach_you_again(),
    restored === 0 ? '' : m.requests_are_back({ count: restored }),
  )
}
