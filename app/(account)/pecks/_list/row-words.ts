/** Words for a peck in a list. */
import { m } from '@/lib/kernel/messages'
import type { Peck, PeckDetails } from '../_peck/reads'
import { grantStatusOf, isByRule, usesWords } from '../_peck/words'

const decidedWords: Record<Peck['status'], () => string> = {
  pending: m.requests_sent,
  approved: m.requests_approved,
  rejected: m.requests_rejected,
  cancelled: m.requests_withdrawn,
  expired: m.requests_status_expired,
}

const ruleWords: Partial<typeof decidedWords> = {
  approved: m.requests_approved_by_a_rule,
  rejected: m.requests_rejected_by_a_rule,
}

/** Returns what last happened to the request, and when: "Approved" and the time of the approval. */
export function decidedAt(
  peck: Pick<Peck, 'status' | 'created_at' | 'decided_at' | 'expires_at' | 'decided_by'>,
): { word: string; at: string } {
  const { status, created_at, decided_at, expires_at } = peck
  const at = status === 'expired' ? expires_at : (decided_at ?? created_at)
  const words = (isByRule(peck) ? ruleWords[status] : undefined) ?? decidedWords[status]
  return { word: words(), at }
}

/** Returns how often a permission was used, and when last. Null when it was not approved. */
export function lastUse(peck: Peck): { words: string; at: string | null } | null {
  const { uses, last_used_at } = peck
  if (grantStatusOf(peck) === null) return null
  if (last_used_at === null || uses === 0) return { words: usesWords(peck), at: null }
  return {
    words: m.requests_used_times_last({ count: uses }),
    at: last_used_at,
  }
}

/** Returns when a permission ends or has ended. Null when that says nothing: it is used up, or was not approved. */
export function endOf(
  peck: Pick<Peck, 'action' | 'grant_status' | 'grant_expires_at'>,
  { grant_revoked_at }: Pick<PeckDetails, 'grant_revoked_at'>,
): { words: string; at: string | null } | null {
  const { grant_expires_at } = peck
  const status = grantStatusOf(peck)
  if (status === null || status === 'consumed') return null
  if (status === 'revoked') return { words: m.requests_revoked(), at: grant_revoked_at }
  if (grant_expires_at === null) return { words: m.requests_valid_until_revoked(), at: null }
  return {
    words: status === 'active' ? m.requests_expires() : m.requests_expired(),
    at: grant_expires_at,
  }
}
