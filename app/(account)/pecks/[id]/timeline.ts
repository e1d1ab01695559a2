/** The timeline of a peck, oldest first: what happened, and what will happen at a known time. */
import { m } from '@/lib/kernel/messages'
import { keptText } from '@/lib/kernel/text/kept-values'
import type { Peck, PeckWithDetails } from '../_peck/reads'
import { grantStatusOf, isByRule, targetName, usesWords } from '../_peck/words'

export interface Moment {
  /** With marks around a name, for `<KeptText>`. */
  what: string
  /** ISO 8601; null when the time is unknown. */
  at: string | null
  isAhead: boolean
}

const past = (what: string, at: string | null = null): Moment => ({ what, at, isAhead: false })
const ahead = (what: string, at: string): Moment => ({ what, at, isAhead: true })

/** Names the person who was asked, unless it is the viewer. */
export function timeline({ peck, details }: PeckWithDetails, viewerId: string): Moment[] {
  const name = peck.target_duckling_id === viewerId ? null : targetName(peck)
  return [
    past(name === null ? m.requests_sent() : keptText(m.requests_sent_to, { name }), peck.created_at),
    ...decision(peck, details.signed, name),
    ...grant(peck, details),
  ]
}

function decision(peck: Peck, isSigned: boolean, name: string | null): Moment[] {
  switch (peck.status) {
    case 'pending':
      return [ahead(m.requests_expires_if_not_answered(), peck.expires_at)]
    case 'approved':
      return [past(approvalWords(peck, isSigned, name), peck.decided_at)]
    case 'rejected':
      return [past(rejectionWords(peck, name), peck.decided_at)]
    case 'cancelled':
      return [past(m.requests_withdrawn(), peck.decided_at)]
    case 'expired':
      return [past(m.requests_expired_without_an_answer(), peck.expires_at)]
  }
}

function rejectionWords(peck: Peck, name: string | null): string {
  if (name === null) return isByRule(peck) ? m.requests_rejected_by_a_rule() : m.requests_rejected()
  if (isByRule(peck)) return keptText(m.requests_rejected_by_rule_of, { name })
  return keptText(m.requests_rejected_by, { name })
}

function approvalWords(peck: Peck, isSigned: boolean, name: string | null): string {
  if (name !== null) {
    if (isByRule(peck)) return keptText(m.requests_approved_by_rule_of, { name })
    return keptText(isSigned ? m.requests_approved_by_with_passkey : m.requests_approved_by, { name })
  }
  if (isByRule(peck)) return m.requests_approved_by_a_rule()
  return isSigned ? m.requests_approved_and_signed_with_a_passkey() : m.requests_approved()
}

/** The time beside the words is the time of the last use. */
function lastUseWords(peck: Peck): string {
  const uses = usesWords(peck)
  return peck.uses > 1 ? m.requests_uses_and_last({ uses }) : uses
}

function grant(peck: Peck, { grant_revoked_at }: PeckWithDetails['details']): Moment[] {
  const status = grantStatusOf(peck)
  if (status === null)
    return peck.superseded_by === undefined ? [] : [past(m.requests_approval_undone(), grant_revoked_at)]
  const used = peck.uses > 0 || status === 'active' ? [past(lastUseWords(peck), peck.last_used_at)] : []
  switch (status) {
    case 'active':
      return peck.grant_expires_at === null
        ? used
        : [...used, ahead(m.requests_permission_expires(), peck.grant_expires_at)]
    case 'consumed':
      return used
    case 'expired':
      return [
        ...used,
        past(
          peck.uses === 0 ? m.requests_permission_expired_unused() : m.requests_permission_expired(),
          peck.grant_expires_at,
        ),
      ]
    case 'revoked':
      return [
        ...used,
        past(
          peck.superseded_by === undefined ? m.requests_permission_revoked() : m.requests_approval_undone(),
          grant_revoked_at,
        ),
      ]
  }
}
