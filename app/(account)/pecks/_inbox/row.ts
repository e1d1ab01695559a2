/** One line of the inbox: what the list needs of a request, short enough for 1,000 of them on one page. */

import { ownerWords } from '@/app/_shell/palette/owner-words'
import type { ResponseOf } from '@/app/beak/_api/lines'
import { m } from '@/lib/kernel/messages'
import { isolated, personMark } from '@/lib/kernel/text/person-name'
import type { RiskLevel } from '../_decision/risk-mark'
import type { Owner } from '../_peck/owner-words'

export type InboxAnswer = ResponseOf<'GET /beak/peck/inbox'>
export type { RiskLevel }

export interface InboxRow {
  id: string
  /** The agent that asks, or else the person. */
  asker: string
  /** The person who asks, or who is behind the agent. */
  ownerId: string
  /** An agent's name in quotation marks, or a person's name. */
  name: string
  /** Who is behind an agent. Null for a person. */
  operator: string | null
  /** What tells the person from others with the same name. Null for the viewer and the viewer's agents. */
  owner: Owner | null
  /** What the asker wants: "Send an email". */
  words: string
  /** The largest amount, or else the value that says most. */
  value: string | null
  isAmount: boolean
  /** The other values that tell the request from others. */
  more: string[]
  /** Whom an amount is for. */
  payee: string | null
  risk: RiskLevel
  /** What the decision page says first. */
  firstLine: string | null
  /** Nothing of this asker was approved before. */
  isFirstContact: boolean
  /** An own agent asks, or somebody whom the viewer has let in. */
  isKnown: boolean
  needsPasskey: boolean
  createdAt: string
  expiresAt: string
}

/** The rows as one text. React would write and read each property of up to 1,000 rows by itself. */
export interface PackedRows {
  json: string
}

export const packRows = (rows: InboxRow[]): PackedRows => ({ json: JSON.stringify(rows) })
export const unpackRows = ({ json }: PackedRows): InboxRow[] => JSON.parse(json) as InboxRow[]

/** Returns what the request asks for with its values: "Pay an invoice €9.99, to Hoster GmbH". */
export const withValues = (what: string, { value, more }: Pick<InboxRow, 'value' | 'more'>): string =>
  [value === null ? what : `${what} ${value}`, ...more].join(', ')

/** Returns the person whom a block of this request's asker would block, with what tells them from others with the same name. */
export function blockable({
  ownerId,
  operator,
  name,
  owner,
}: Pick<InboxRow, 'ownerId' | 'operator' | 'name' | 'owner'>) {
  return { id: ownerId, name: isolated(operator ?? name), mark: personMark(owner?.handle, ownerId) }
}

/** Returns a row as one sentence for screen readers when it arrives. */
export function announcementOf(row: InboxRow): string {
  const { name, words, value, more, owner, operator, firstLine } = row
  const person = owner === null ? isolated(name) : `${isolated(name)} (${ownerWords(row)})`
  const who = operator === null ? person : `${name}, ${ownerWords(row)},`
  const what = words.charAt(0).toLowerCase() + words.slice(1)
  const wish =
    value === null
      ? m.inbox_wants_to({ who, what })
      : m.inbox_wants_to_value({ who, what, value: [value, ...more].join(', ') })
  return firstLine === null ? wish : `${firstLine} ${wish}`
}
