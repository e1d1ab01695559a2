/** Which changes of other sessions a page asks about. An answer counts for this browser only (contract F, Alarms). */
import { cookies } from 'next/headers'
import type { ResponseOf } from '@/app/beak/_api/lines'
import { cookiePrefix } from '@/lib/kernel/request/session-cookie'

type Overview = ResponseOf<'GET /beak/profile/overview'>
export type RecentChange = Overview['recent_changes'][number]

/** The cookie with the newest change that was answered here. Not stored with the account: the session of a thief could answer there. */
export const answeredCookie = () => `${cookiePrefix()}beak.changes`

/** Returns the value of the cookie: whose account, and until when its changes are answered. */
export const answeredValue = (ducklingId: string, until: string): string => `${ducklingId} ${until}`

/** Returns the changes that are newer than those that were answered. `answered`: the value of the cookie. */
export function unanswered<Change extends { at: string }>(
  changes: Change[],
  ducklingId: string,
  answered: string | undefined,
): Change[] {
  const [owner, until = ''] = answered?.split(' ') ?? []
  return owner === ducklingId ? changes.filter(({ at }) => at > until) : changes
}

/** Returns the changes about which this browser has not been asked, or has not answered. */
export async function changesToAsk({ profile, recent_changes }: Overview): Promise<RecentChange[]> {
  const answered = (await cookies()).get(answeredCookie())?.value
  return unanswered(recent_changes, profile.duckling_id, answered)
}

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
