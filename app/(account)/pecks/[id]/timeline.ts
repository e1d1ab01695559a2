/** The timeline of a peck, oldest first: what happened, and what will happen at a known time. */
import type { Peck, PeckWithDetails } from '../_peck/reads'
import { usesWords } from '../_peck/words'

export interface Moment {
  what: string
  /** ISO 8601; null when the time is unknown. */
  at: string | null
  isAhead: boolean
}

const past = (what: string, at: string | null = null): Moment => ({ what, at, isAhead: false })
const ahead = (what: string, at: string): Moment => ({ what, at, isAhead: true })

export function timeline({ peck, details }: PeckWithDetails): Moment[] {
  return [past('Sent', peck.created_at), ...decision(peck, details.signed), ...grant(peck, details)]
}

function decision(peck: Peck, isSigned: boolean): Moment[] {
  switch (peck.status) {
    case 'pending':
      return [ahead('Expires if not answered', peck.expires_at)]
    case 'approved':
      return [past(isSigned ? 'Approved and signed with a passkey' : 'Approved', peck.decided_at)]
    case 'rejected':
      return [past('Rejected', peck.decided_at)]
    case 'cancelled':
      return [past('Withdrawn', peck.decided_at)]
    case 'expired':
      return [past('Expired without an answer', peck.expires_at)]
  }
}

/** The time beside the words is that of the last use. */
function lastUseWords(uses: number): string {
  return uses > 1 ? `${usesWords(uses)}, last` : usesWords(uses)
}

function grant(peck: Peck, { grant_revoked_at }: PeckWithDetails['details']): Moment[] {
  if (peck.grant_status === null) return []
  const used =
    peck.uses > 0 || peck.grant_status === 'active' ? [past(lastUseWords(peck.uses), peck.last_used_at)] : []
  switch (peck.grant_status) {
    case 'active':
      return peck.grant_expires_at === null
        ? used
        : [...used, ahead('Permission expires', peck.grant_expires_at)]
    case 'consumed':
      return used
    case 'expired':
      return [
        ...used,
        past(peck.uses === 0 ? 'Permission expired unused' : 'Permission expired', peck.grant_expires_at),
      ]
    case 'revoked':
      return [...used, past('Permission revoked', grant_revoked_at)]
  }
}
