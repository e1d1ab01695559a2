/** Makes the lines of the inbox. On the server only, so that the browser gets neither the tables of words nor long values. */

import { groupedIban } from '@/lib/kernel/text/iban'
import { personName } from '@/lib/kernel/text/person-name'
import { actionLabel } from '@/lib/kernel/text/shown-action'
import { visible } from '@/lib/kernel/text/visible'
import type { Owner } from '../_peck/owner-words'
import { valueInPageLanguage } from '../_peck/retold-risk'
import { requesterName } from '../_peck/words'
import { listText } from '../_values/list-text'
import type { InboxAnswer, InboxRow } from './row'

const maxValueLength = 80
/** A name of the asker stands before the value and must not push it out of the line. */
const maxNameLength = 24

/** Returns the line of a waiting request. */
export function rowOf(item: InboxAnswer['items'][number], viewerId: string): InboxRow {
  const { requester } = item
  const isOwn = requester.duckling_id === viewerId
  return {
    id: item.peck_id,
    asker: requester.agent_id ?? requester.duckling_id,
    ownerId: requester.duckling_id,
    name: requesterName(requester),
    operator: requester.agent_name === undefined ? null : isOwn ? 'you' : personName(requester),
    owner: isOwn ? null : ownerOf(requester),
    words: actionLabel(item.action),
    value: item.value === null ? null : valueText(valueInPageLanguage(item.value)),
    risk: item.risk_level,
    isFirstContact: item.first_contact,
    needsPasskey: item.needs_passkey,
    createdAt: item.created_at,
    expiresAt: item.expires_at,
  }
}

/** Copies only what the list shows, because a page may have 1,000 rows. */
function ownerOf({ duckling_id, handle, trust_tier, member_since }: Owner): Owner {
  return { duckling_id, handle, trust_tier, member_since }
}

/** A number or a word alone says nothing, so it stands with its name: "guests: 4". A name says what it is. */
function valueText({ type, name, text }: NonNullable<InboxAnswer['items'][number]['value']>): string {
  const value = clipped(groupedIban(text) ?? listText(text), maxValueLength)
  if (type === 'value' && name === 'name') return value
  if (type !== 'value' && type !== 'secret') return value
  return `${clipped(name, maxNameLength)}: ${value}`
}

/** Returns the beginning of a text of the asker as one line, with hidden characters made visible. */
function clipped(text: string, max: number): string {
  const line = visible(
    text
      .slice(0, max * 2)
      .replaceAll(/\s+/g, ' ')
      .trim(),
  )
  const characters = [...line]
  return characters.length <= max && text.length <= max * 2 ? line : `${characters.slice(0, max).join('')} …`
}
