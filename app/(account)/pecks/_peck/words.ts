/** Words for pecks and permissions. Text that other people wrote is shown through `visible` only. */

import { permitsNothing } from '@beak/decision/free-text'
import { personName } from '@beak/decision/person-name'
import { quotedName } from '@beak/decision/quote'
import type { Tone } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import { durationWords } from '@/lib/kernel/text/duration-words'
import type { Peck } from './answers'

type PeckStatus = Peck['status']
type GrantStatus = NonNullable<Peck['grant_status']>

/** The labels of the peck statuses, for badges and filters. */
export const statusLabels = {
  get pending() {
    return m.requests_waiting()
  },
  get approved() {
    return m.requests_approved()
  },
  get rejected() {
    return m.requests_rejected()
  },
  get cancelled() {
    return m.requests_withdrawn()
  },
  get expired() {
    return m.requests_expired()
  },
} satisfies Record<PeckStatus, string>

const statusTones = {
  pending: 'accent',
  approved: 'good',
  rejected: 'bad',
  cancelled: 'neutral',
  expired: 'neutral',
} satisfies Record<PeckStatus, Tone>

interface Badge {
  label: string
  tone: Tone
}

/** The badges of permissions. Their labels are also those of the filter. */
export const grantBadges = {
  active: {
    get label() {
      return m.requests_active()
    },
    tone: 'good',
  },
  consumed: {
    get label() {
      return m.requests_used()
    },
    tone: 'neutral',
  },
  expired: {
    get label() {
      return m.requests_expired()
    },
    tone: 'neutral',
  },
  revoked: {
    get label() {
      return m.requests_revoked()
    },
    tone: 'bad',
  },
} satisfies Record<GrantStatus, Badge>

type GrantedPeck = Pick<Peck, 'action' | 'status' | 'grant_status' | 'superseded_by'>

/** Returns the badge of a permission. */
function grantBadge({ superseded_by }: GrantedPeck, status: GrantStatus): Badge {
  return superseded_by === undefined ? grantBadges[status] : { label: m.requests_undone(), tone: 'neutral' }
}

/** Returns the status of the permission. Null without one: an approved test or favour permits nothing, and its grant ended at once. */
export function grantStatusOf(peck: Pick<Peck, 'action' | 'grant_status'>): GrantStatus | null {
  return permitsNothing(peck.action) ? null : peck.grant_status
}

/** Returns the badge of a peck: the status of its permission if there is one, else its own. */
export function statusBadge(peck: GrantedPeck): Badge {
  const { status, superseded_by } = peck
  // An undone answer had no permission that could be revoked.
  if (superseded_by !== undefined) return grantBadge(peck, 'revoked')
  const grantStatus = grantStatusOf(peck)
  if (grantStatus !== null) return grantBadge(peck, grantStatus)
  return { label: statusLabels[status], tone: statusTones[status] }
}

/** Returns the badges of a peck in a list: its status and the status of its permission, in the words of the filters. */
export function badgesOf(peck: GrantedPeck): Badge[] {
  const { status } = peck
  const grantStatus = grantStatusOf(peck)
  const own = { label: statusLabels[status], tone: statusTones[status] }
  return grantStatus === null ? [own] : [own, grantBadge(peck, grantStatus)]
}

/** Whether a rule of the target answered. */
export function isByRule({ decided_by }: Pick<Peck, 'decided_by'>): boolean {
  return decided_by !== undefined
}

/** Returns the name of the requester: an agent's name in quotation marks, else the person's. */
export function requesterName(requester: Peck['requester']): string {
  const { agent_name } = requester
  return agent_name === undefined ? personName(requester) : quotedName(agent_name)
}

/** Returns the name of the person who was asked. */
export function targetName({ target_full_name, target_display_name }: Peck): string {
  return personName({ full_name: target_full_name, display_name: target_display_name })
}

const shorterLifetimes = [300, 3600, 28_800, 86_400, 604_800, 2_592_000]

/**
 * Returns the lifetimes to choose from: first the requested one, with an empty value, then shorter ones. A longer one is never offered,
 * because the passkey signs the requested lifetime as the maximum.
 */
export function lifetimeChoices(grantSeconds: number | null): { value: string; label: string }[] {
  const requested = grantSeconds === null ? m.requests_until_i_revoke_it() : durationWords(grantSeconds)
  return [
    { value: '', label: m.requests_requested_as_it_asked({ requested }) },
    ...shorterLifetimes
      .filter((seconds) => seconds < (grantSeconds ?? Number.POSITIVE_INFINITY))
      .reverse()
      .map((seconds) => ({ value: String(seconds), label: durationWords(seconds) })),
  ]
}

/** Returns how often a permission was used. One that has ended is never "not used yet". */
export function usesWords({ uses, grant_status }: Pick<Peck, 'uses' | 'grant_status'>): string {
  if (uses === 0) return grant_status === 'active' ? m.requests_not_used_yet() : m.requests_never_used()
  return m.requests_used_times({ count: uses })
}

/** Returns how often a permission was used and how often it may be used. */
export function usesAndLimit(peck: Pick<Peck, 'uses' | 'max_uses' | 'grant_status'>): string {
  const { max_uses } = peck
  const used = { uses: usesWords(peck) }
  if (max_uses === null) return used.uses
  return max_uses === 1 ? m.requests_single_use(used) : m.requests_uses_at_most({ ...used, count: max_uses })
}
