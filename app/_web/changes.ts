/** Which changes of other sessions a page asks about. An answer counts for this browser only (contract F, Alarms). */
import { cookies } from 'next/headers'
import type { ResponseOf } from '@/app/beak/_api/lines'
import { cookiePrefix } from '@/lib/kernel/request/session-cookie'
import { hour, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'

type Overview = ResponseOf<'GET /beak/profile/overview'>
export type RecentChange = Overview['recent_changes'][number]

/** The cookie with the answer of this browser. Not stored with the account: the session of a thief could answer there. */
export const answeredCookie = () => `${cookiePrefix()}beak.changes`

interface Answer {
  /** All changes up to this time were the viewer's own, or are in order. May be empty. */
  until: string
  /** The viewer said that not all changes up to this time were their own. Empty unless that is the last answer. */
  reported: string
  /** The time of the oldest reported change. Empty when `reported` is. */
  since: string
}

/** Returns the value of the cookie: whose account, and the answer. */
export const answeredValue = (ducklingId: string, { until, reported, since }: Answer): string =>
  `${ducklingId} ${until} ${reported} ${since}`

/** Returns the answer in the cookie for an account. `value`: that of the cookie. */
export function answerIn(value: string | undefined, ducklingId: string): Answer {
  const [owner, until = '', reported = '', since = ''] = value?.split(' ') ?? []
  return owner === ducklingId ? { until, reported, since } : { until: '', reported: '', since: '' }
}

/** Returns since when this browser needs changes, because it reported one of that time. Undefined: only those of the last hour. */
export async function reportedSince(): Promise<string | undefined> {
  const since = new Date((await cookies()).get(answeredCookie())?.value.split(' ')[3] ?? '')
  return Number.isNaN(since.getTime()) ? undefined : since.toISOString()
}

export interface AskedChanges<Change = RecentChange> {
  changes: Change[]
  /** The viewer said that not all of them were their own, and has not said since that all is in order. */
  isReported: boolean
}

/** Returns the changes that are newer than an answer. A change after "not all were me" is asked about again. */
export function unanswered<Change extends { at: string }>(
  changes: Change[],
  { until, reported }: Answer,
): AskedChanges<Change> {
  const left = changes.filter(({ at }) => at > until)
  return { changes: left, isReported: left.length > 0 && left.every(({ at }) => at <= reported) }
}

/** Returns the changes that a page shows at a time: of the last hour, and those that this browser has reported. */
export function inView<Change extends { at: string }>(
  changes: Change[],
  { reported }: Answer,
  now: Date,
): Change[] {
  const hourAgo = secondsAfter(now, -hour).toISOString()
  return changes.filter(({ at }) => at > hourAgo || at <= reported)
}

/** Returns all changes in view, and those about which this browser has not been asked, or that were not the viewer's. */
export async function changesToAsk({
  profile,
  recent_changes,
}: Overview): Promise<AskedChanges & { all: RecentChange[] }> {
  const answer = answerIn((await cookies()).get(answeredCookie())?.value, profile.duckling_id)
  const all = inView(recent_changes, answer, readClock())
  return { all, ...unanswered(all, answer) }
}

/** Returns how many changes there are, with those that are not listed. */
export const countChanges = (changes: Pick<RecentChange, 'more'>[]): number =>
  changes.reduce((sum, { more }) => sum + 1 + more, 0)

/** The changes of one session. */
export interface SessionChanges<Change = RecentChange> {
  session: RecentChange['session']
  changes: Change[]
}

/** Groups changes by their session, in the order in which the sessions come first. Changes whose session was deleted are one group. */
export function bySession<Change extends Pick<RecentChange, 'session'>>(
  changes: Change[],
): SessionChanges<Change>[] {
  const groups = new Map<string | undefined, SessionChanges<Change>>()
  for (const change of changes) {
    const id = change.session?.session_id
    const group = groups.get(id) ?? { session: change.session, changes: [] }
    group.changes.push(change)
    groups.set(id, group)
  }
  return [...groups.values()]
}
