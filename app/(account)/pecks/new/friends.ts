/** The people whom the viewer can ask with two taps: those whom the viewer has answered, and those who have approved something of the viewer. */
import { personName } from '@beak/decision/person-name'
import { read } from '@/app/_web/page-read'
import type { Tier } from '@/lib/kernel/request/tier'

export interface Friend {
  id: string
  name: string
  /** Without `@`. */
  handle: string | undefined
  /** Only of somebody whom the viewer does not know. */
  tier?: Tier
}

/** So many of the newest approved requests are read for people who have approved one. */
const sentMax = '50'
const friendsMax = 30

/** Returns them, the contacts first. Leaves out agents, and people whom the viewer blocks. */
export async function friendsOf(viewerId: string): Promise<Friend[]> {
  const [contacts, sent] = await Promise.all([
    read('GET /beak/contact/list'),
    read('GET /beak/peck/history', {
      query: { direction: 'sent_to_others', status: 'approved', limit: sentMax },
    }),
  ])
  const found = new Map<string, Friend>()
  const blocked = new Set<string>()
  for (const { asker, duckling_id: id, name, handle, blocked_at: blockedAt } of contacts.items) {
    if (blockedAt !== null) blocked.add(id)
    else if (asker === id) found.set(id, { id, name, handle })
  }
  for (const peck of sent.items) {
    const { target_duckling_id: id, target_full_name, target_display_name, target_handle: handle } = peck
    if (id === viewerId || found.has(id) || blocked.has(id)) continue
    const name = personName({ full_name: target_full_name, display_name: target_display_name })
    found.set(id, { id, name, handle })
  }
  return [...found.values()].slice(0, friendsMax)
}
