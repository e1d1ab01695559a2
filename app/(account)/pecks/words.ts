/** Pecks in words for people, on either side. What others wrote never goes in unmarked. */
import type { Tone } from '@/components/ui/surface'
import { duration } from '@/lib/domain/pecks/request/summary'

/** The wire form of a peck, as far as the words need it. */
export interface PeckState {
  status: 'pending' | 'approved' | 'rejected' | 'expired' | 'cancelled'
  grant_status: 'active' | 'consumed' | 'expired' | 'revoked' | null
}

const grantWords = {
  active: { word: 'Holds', tone: 'good' },
  consumed: { word: 'Used up', tone: 'neutral' },
  expired: { word: 'Ended', tone: 'neutral' },
  revoked: { word: 'Revoked', tone: 'bad' },
} as const
const statusWords = {
  pending: { word: 'Waiting', tone: 'accent' },
  approved: { word: 'Approved', tone: 'good' },
  rejected: { word: 'Rejected', tone: 'bad' },
  expired: { word: 'Not answered', tone: 'neutral' },
  cancelled: { word: 'Taken back', tone: 'neutral' },
} as const

/** Where a peck stands, in a word or two. */
export function stateWords({ status, grant_status }: PeckState): { word: string; tone: Tone } {
  return grant_status === null ? statusWords[status] : grantWords[grant_status]
}

/** An action as a person says it: "send:mail" is "Send mail". */
export function actionWords(action: string): string {
  const words = action.replace(':', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** What approving means for a scope and the lifetime asked. */
export function meaning(scope: 'limited' | 'timed' | 'standing', grantSeconds: number | null): string {
  if (grantSeconds === null) return 'Any number of times, until you revoke it.'
  const lasting = duration(grantSeconds)
  if (scope === 'limited')
    return `Once, within ${lasting} of your approval. You can revoke it until it is used.`
  return `Any number of times for ${lasting} from your approval. You can revoke it before.`
}

const shorter = [300, 3600, 28_800, 86_400, 604_800, 2_592_000]

/**
 * Lifetimes to choose from, shortest last: what was asked, which is the empty value, and less. Never more: a passkey signs what
 * was asked as the most.
 */
export function lifetimes(grantSeconds: number | null): { value: string; label: string }[] {
  const asked = grantSeconds === null ? 'until I revoke it' : duration(grantSeconds)
  return [
    { value: '', label: `${asked}, as asked` },
    ...shorter
      .filter((seconds) => seconds < (grantSeconds ?? Number.POSITIVE_INFINITY))
      .reverse()
      .map((seconds) => ({ value: String(seconds), label: duration(seconds) })),
  ]
}

/**
 * A text of somebody else's with everything that hides in it made visible: characters that turn the direction of writing, take
 * no room or control a terminal could make it look like another text.
 */
export function visible(text: string): string {
  return text.replace(
    /(?![\n\t])[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/gu,
    (character) => `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  )
}

const lineMost = 60

/** A value of the params as it is shown: a text as it is, all else as JSON, in lines where it would be a long one. */
export function paramText(value: unknown): string {
  if (typeof value === 'string') return visible(value)
  const line = JSON.stringify(value)
  return visible(line.length <= lineMost ? line : JSON.stringify(value, null, 2))
}

/** How often a permission was used. */
export function usesWords(uses: number): string {
  if (uses === 0) return 'Not used yet'
  return uses === 1 ? 'Used once' : `Used ${uses} times`
}
