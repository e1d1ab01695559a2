/** One line of the inbox: what the list needs of a request, short enough for 1,000 of them on one page. */
import type { ResponseOf } from '@/app/beak/_api/lines'
import { actionWords } from '@/lib/kernel/text/action-words'
import { visible } from '@/lib/kernel/text/visible'
import type { RiskLevel } from '../_decision/risk-mark'
import { sentenceCase } from '../_list/row-words'
import { requesterName } from '../_peck/words'

export type InboxAnswer = ResponseOf<'GET /beak/peck/inbox'>
export type { RiskLevel }

export interface InboxRow {
  id: string
  /** The agent that asks, or else the person. */
  asker: string
  /** An agent's name in quotation marks, or a person's name. */
  name: string
  /** Who is behind an agent. Null for a person. */
  operator: string | null
  /** What the asker wants: "Send an email". */
  words: string
  /** The value that decides most. */
  value: string | null
  risk: RiskLevel
  /** Nothing of this asker was approved before. */
  isFirstContact: boolean
  needsPasskey: boolean
  createdAt: string
  expiresAt: string
}

const maxValueLength = 80

/** Returns the line of a waiting request. */
export function rowOf(item: InboxAnswer['items'][number], viewerId: string): InboxRow {
  const { requester } = item
  const isOwn = requester.duckling_id === viewerId
  return {
    id: item.peck_id,
    asker: requester.agent_id ?? requester.duckling_id,
    name: requesterName(requester),
    operator: requester.agent_name === undefined ? null : isOwn ? 'you' : requester.display_name,
    words: sentenceCase(actionWords(item.action)),
    value: item.value === null ? null : clipped(valueText(item.value)),
    risk: item.risk_level,
    isFirstContact: item.first_contact,
    needsPasskey: item.needs_passkey,
    createdAt: item.created_at,
    expiresAt: item.expires_at,
  }
}

/** A number or a word alone says nothing, so it stands with its name: "cascade: true". */
function valueText({ type, name, text }: NonNullable<InboxAnswer['items'][number]['value']>): string {
  return type === 'value' ? `${name}: ${text}` : text
}

/** Returns the beginning of a text of the asker as one line, with hidden characters made visible. */
function clipped(text: string): string {
  const line = visible(
    text
      .slice(0, maxValueLength * 2)
      .replaceAll(/\s+/g, ' ')
      .trim(),
  )
  const characters = [...line]
  return characters.length <= maxValueLength && text.length <= maxValueLength * 2
    ? line
    : `${characters.slice(0, maxValueLength).join('')} …`
}

/** Returns a row as one sentence for screen readers when it arrives. */
export function announcementOf({ name, operator, words, value }: InboxRow): string {
  const who =
    operator === null
      ? name
      : operator === 'you'
        ? `${name}, your agent,`
        : `${name}, an agent of ${operator},`
  const what = words.charAt(0).toLowerCase() + words.slice(1)
  return `${who} wants to ${what}${value === null ? '' : `: ${value}`}.`
}
