/** The story of a peck, oldest first: what happened, and what is still to come by the clock. */
import type { Peck, PeckWithDetails } from './reads'
import { usesWords } from './words'

export interface Moment {
  what: string
  /** ISO 8601; null where only the fact is known. */
  at: string | null
  isAhead: boolean
}

const past = (what: string, at: string | null = null): Moment => ({ what, at, isAhead: false })
const ahead = (what: string, at: string): Moment => ({ what, at, isAhead: true })

export function timeline({ peck, details }: PeckWithDetails): Moment[] {
  return [past('Asked', peck.created_at), ...decision(peck, details.signed), ...grant(peck, details)]
}

function decision(peck: Peck, isSigned: boolean): Moment[] {
  switch (peck.status) {
    case 'pending':
      return [ahead('Runs out if nobody answers', peck.expires_at)]
    case 'approved':
      return [past(isSigned ? 'Approved, and signed by passkey' : 'Approved', peck.decided_at)]
    case 'rejected':
      return [past('Rejected', peck.decided_at)]
    case 'cancelled':
      return [past('Taken back', peck.decided_at)]
    case 'expired':
      return [past('Ran out without an answer', peck.expires_at)]
  }
}

function grant(peck: Peck, { grant_revoked_at }: PeckWithDetails['details']): Moment[] {
  if (peck.grant_status === null) return []
  const used = peck.uses > 0 || peck.grant_status === 'active' ? [past(usesWords(peck.uses))] : []
  switch (peck.grant_status) {
    case 'active':
      return peck.grant_expires_at === null ? used : [...used, ahead('Ends', peck.grant_expires_at)]
    case 'consumed':
      return used
    case 'expired':
      return [...used, past(peck.uses === 0 ? 'Ended without being used' : 'Ended', peck.grant_expires_at)]
    case 'revoked':
      return [...used, past('Revoked', grant_revoked_at)]
  }
}
