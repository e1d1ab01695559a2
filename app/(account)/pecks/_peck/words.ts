/** Words for pecks and permissions. Text that other people wrote is shown through `visible` only. */
import type { Tone } from '@/components/ui/surface'
import { duration } from '@/lib/kernel/text/duration'
import { personName } from '@/lib/kernel/text/person-name'
import { quotable } from '@/lib/kernel/text/quote'
import type { Peck } from './reads'

type PeckStatus = Peck['status']
type GrantStatus = NonNullable<Peck['grant_status']>

/** The labels of the peck statuses, for badges and filters. */
export const statusLabels = {
  pending: 'Pending',
  approved: 'Approved',
  rejected: 'Rejected',
  cancelled: 'Withdrawn',
  expired: 'Expired',
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
  active: { label: 'Active', tone: 'good' },
  consumed: { label: 'Used', tone: 'neutral' },
  expired: { label: 'Expired', tone: 'neutral' },
  revoked: { label: 'Revoked', tone: 'bad' },
} satisfies Record<GrantStatus, Badge>

/** Returns the badge of a peck: the status of its permission if there is one, else its own. */
export function statusBadge({ status, grant_status }: Pick<Peck, 'status' | 'grant_status'>): Badge {
  if (grant_status !== null) return grantBadges[grant_status]
  return { label: statusLabels[status], tone: statusTones[status] }
}

/** Returns the badges of a peck in a list: its status and the status of its permission, in the words of the filters. */
export function badgesOf({ status, grant_status }: Pick<Peck, 'status' | 'grant_status'>): Badge[] {
  const own = { label: statusLabels[status], tone: statusTones[status] }
  return grant_status === null ? [own] : [own, grantBadges[grant_status]]
}

/** Returns an action as a title: "send:mail" is "Send mail". */
export function actionTitle(action: string): string {
  const words = action.replace(':', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Returns the name of the requester: an agent's name in quotation marks, else the person's. */
export function requesterName(requester: Peck['requester']): string {
  const { agent_name } = requester
  return agent_name === undefined ? personName(requester) : `“${quotable(agent_name)}”`
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
  const requested = grantSeconds === null ? 'Until I revoke it' : duration(grantSeconds)
  return [
    { value: '', label: `${requested} (as requested)` },
    ...shorterLifetimes
      .filter((seconds) => seconds < (grantSeconds ?? Number.POSITIVE_INFINITY))
      .reverse()
      .map((seconds) => ({ value: String(seconds), label: duration(seconds) })),
  ]
}

/** Returns how often a permission was used. */
export function usesWords(uses: number): string {
  if (uses === 0) return 'Not used yet'
  return uses === 1 ? 'Used once' : `Used ${uses} times`
}

/** Returns how often a permission was used and how often it may be used. */
export function usesAndLimit({ uses, max_uses }: Pick<Peck, 'uses' | 'max_uses'>): string {
  if (max_uses === null) return usesWords(uses)
  return `${usesWords(uses)}, ${max_uses === 1 ? 'single use' : `${max_uses} uses at most`}`
}
