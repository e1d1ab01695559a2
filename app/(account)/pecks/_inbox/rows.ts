/** One line of the inbox: what the list needs of a request, short enough for 1,000 of them on one page. */

import { isolated, personMark } from '@beak/decision/person-name'
import { ownerWords } from '@/app/_shell/palette/owner-words'
import type { ResponseOf } from '@/app/beak/_api/lines'
import { m } from '@/lib/kernel/messages'
import { keptAction, keptText } from '@/lib/kernel/text/kept-values'
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
  /** Why its risk has its level, where that says more than the other parts of the row. */
  reason: string | null
  /** Nothing of this asker was approved before. */
  isFirstContact: boolean
  /** It is in the asker's own words. */
  isFreeText: boolean
  /** Its permission may be used any number of times, and it has an amount. */
  costsRepeatedly: boolean
  /** An own agent asks, or somebody whom the viewer has let in. */
  isKnown: boolean
  /** The viewer has approved the same several times. */
  isAsBefore: boolean
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

/** Returns a row as one sentence for screen readers when it arrives, with marks around what stays. */
export function announcementOf(row: InboxRow): string {
  const { name, words, value, more, owner, operator, reason } = row
  const person = owner === null ? name : `${name} (${ownerWords(row)})`
  const who = operator === null ? person : `${name}, ${ownerWords(row)},`
  const what = keptAction(words.charAt(0).toLowerCase() + words.slice(1))
  const wish =
    value === null
      ? keptText(m.inbox_wants_to, { who, what })
      : keptText(m.inbox_wants_to_value, { who, what, value: [value, ...more].join(', ') })
  return reason === null ? wish : `${wish} ${reason}`
}

/** Groups the rows of the inbox, in an order that does not change while the page is open. */

interface Row {
  id: string
  asker: string
  risk: RiskLevel
  isKnown: boolean
  operator: string | null
}

export interface Group<T> {
  /** The asker, the risk, or the name of the order. */
  key: string
  rows: T[]
  /** The viewer does not know the asker of the newest request. */
  isStranger: boolean
}

/** A group that the page shows already. */
type Earlier = Pick<Group<unknown>, 'key' | 'isStranger'>

/** Whether a list in this order mixes askers, so that each row names its own. */
export const isMixed = (sort: string) => sort === 'risk' || sort === 'expiry'

/**
 * Returns the rows in groups, each in the given order: by asker, or when they are sorted by risk, by their risk. Rows that are sorted by the
 * time left are one group. The viewer's own agents come before others, and askers whom the viewer does not know after them. `earlier` are the groups in the order that the page
 * shows: they keep their places, even when their asker is known by now, and new groups come before those of their kind, the newest first.
 */
export function groupRows<T extends Row>(rows: T[], sort: string, earlier: Earlier[]): Group<T>[] {
  const groups = new Map<string, T[]>()
  for (const row of rows) {
    const key = sort === 'risk' ? row.risk : sort === 'expiry' ? sort : row.asker
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [row])
    else group.push(row)
  }
  const kept = isMixed(sort) ? [] : earlier.filter(({ key }) => groups.has(key))
  const before = new Set(kept.map(({ key }) => key))
  const added = [...groups].flatMap(([key, [first]]) =>
    before.has(key) ? [] : [{ key, isStranger: !isMixed(sort) && first?.isKnown === false }],
  )
  const all = [...added, ...kept].map(({ key, isStranger }) => ({
    key,
    isStranger,
    rows: groups.get(key) ?? [],
  }))
  const placeOf = ({ isStranger, rows: [first] }: Group<T>) =>
    isStranger ? 2 : isMixed(sort) || first?.operator === 'you' ? 0 : 1
  return all.sort((left, right) => placeOf(left) - placeOf(right))
}

/** A group with those of its rows that are rendered. */
export interface RenderedGroup<T> {
  group: Group<T>
  rows: T[]
}

/** Returns the groups with their rows up to a number of lines. The head of a group is a line, too. Leaves out groups without rows. */
export function firstLines<T>(groups: Group<T>[], max: number): RenderedGroup<T>[] {
  let left = max
  return groups.flatMap((group) => {
    const rows = group.rows.slice(0, Math.max(0, left - 1))
    left -= rows.length + 1
    return rows.length === 0 ? [] : [{ group, rows }]
  })
}

/** Returns the id of the next row (`step` 1) or the one before (`step` -1) that is in `open`, from `id` on. Null at the end. */
export function neighbourOf(
  ids: string[],
  id: string | null,
  step: 1 | -1,
  open: Set<string>,
): string | null {
  const from = id === null ? (step === 1 ? -1 : ids.length) : ids.indexOf(id)
  for (let index = from + step; index >= 0 && index < ids.length; index += step) {
    const candidate = ids[index]
    if (candidate !== undefined && open.has(candidate)) return candidate
  }
  return null
}

/** Returns the ids from one row to another, both included, in the order of the list. */
export function rangeOf(ids: string[], from: string, to: string): string[] {
  const [start, end] = [ids.indexOf(from), ids.indexOf(to)].sort((left, right) => left - right)
  return start === undefined || end === undefined || start < 0 ? [to] : ids.slice(start, end + 1)
}
