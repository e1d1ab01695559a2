/** Words for a peck in a list. */
import type { Peck, PeckDetails } from '../_peck/reads'
import { usesWords } from '../_peck/words'

/** Returns what was asked for as a title: "Book a table". Other people see "Read the profile", its owner "Read your profile". */
export function rowTitle({ display }: Pick<PeckDetails, 'display'>, isTarget: boolean): string {
  const [action = ''] = display.sentence.split(',')
  const words = isTarget ? action : action.replace(/^read your profile$/, 'read the profile')
  return sentenceCase(words)
}

/** Returns a text with a capital letter at its start. */
export const sentenceCase = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

const decidedWords: Record<Peck['status'], string> = {
  pending: 'Sent',
  approved: 'Approved',
  rejected: 'Rejected',
  cancelled: 'Withdrawn',
  expired: 'Expired',
}

/** Returns what last happened to the request, and when: "Approved" and the time of the approval. */
export function decidedAt(peck: Pick<Peck, 'status' | 'created_at' | 'decided_at' | 'expires_at'>): {
  word: string
  at: string
} {
  const { status, created_at, decided_at, expires_at } = peck
  const at = status === 'expired' ? expires_at : (decided_at ?? created_at)
  return { word: decidedWords[status], at }
}

/** Returns how often a permission was used, and when last. Null when it was not approved. */
export function lastUse({
  grant_status,
  uses,
  last_used_at,
}: Peck): { words: string; at: string | null } | null {
  if (grant_status === null) return null
  if (last_used_at === null || uses === 0) return { words: usesWords(uses), at: null }
  return { words: uses === 1 ? 'Used once,' : `Used ${uses} times, last`, at: last_used_at }
}

/** Returns when a permission ends or has ended. Null when that says nothing: it is used up, or was not approved. */
export function endOf(
  { grant_status, grant_expires_at }: Pick<Peck, 'grant_status' | 'grant_expires_at'>,
  { grant_revoked_at }: Pick<PeckDetails, 'grant_revoked_at'>,
): { words: string; at: string | null } | null {
  if (grant_status === null || grant_status === 'consumed') return null
  if (grant_status === 'revoked') return { words: 'Revoked', at: grant_revoked_at }
  if (grant_expires_at === null) return { words: 'Valid until revoked', at: null }
  return { words: grant_status === 'active' ? 'Expires' : 'Expired', at: grant_expires_at }
}
