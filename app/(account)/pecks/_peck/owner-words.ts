/** What tells a person from others with the same name: the handle or the end of the id, what the person has confirmed, and since when the person is a member. */

import { personMark } from '@beak/decision/person-name'
import { m } from '@/lib/kernel/messages'
import { tierWords } from '@/lib/kernel/text/tier-words'

export interface Owner {
  duckling_id: string
  /** Without `@`. */
  handle?: string | undefined
  trust_tier: string
  /** Absent where the viewer may not see it. */
  member_since?: string | undefined
}

const dayMilliseconds = 86_400_000
/** Newer members have the number of days instead of the month. */
const newDays = 30

/** Returns since when a person is a member: "joined today", "joined 3 days ago", "since 2025-11". In UTC. */
export function sinceWords(memberSince: string, now: number): string {
  const days = Math.floor((now - Date.parse(memberSince)) / dayMilliseconds)
  if (days >= newDays) return m.requests_since_month({ month: memberSince.slice(0, 7) })
  if (days < 1) return m.requests_joined_today()
  return days === 1 ? m.requests_joined_yesterday() : m.requests_joined_days_ago({ count: days })
}

/** Returns the facts beside the name of another person: "@teal", "email confirmed", "since 2025-11". */
export function ownerFacts({ duckling_id, handle, trust_tier, member_since }: Owner, now: number): string[] {
  return [
    personMark(handle, duckling_id),
    tierWords(trust_tier),
    ...(member_since === undefined ? [] : [sinceWords(member_since, now)]),
  ]
}
