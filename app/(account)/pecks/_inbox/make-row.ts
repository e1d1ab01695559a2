/** Makes the lines of the inbox. On the server only, so that the browser gets neither the tables of words nor long values. */

import { freeTextValue, isFreeText } from '@beak/decision/free-text'
import { groupedIban } from '@beak/decision/iban'
import { personName } from '@beak/decision/person-name'
import { quotedName } from '@beak/decision/quote'
import { snakeCase } from '@beak/decision/secret-values'
import { visible } from '@beak/decision/visible'
import type { QueryOf } from '@/app/beak/_api/lines'
import { m } from '@/lib/kernel/messages'
import { kept } from '@/lib/kernel/text/kept-values'
import { actionLabel } from '@/lib/kernel/text/shown-action'
import { inZone } from '@/lib/kernel/text/time-words'
import type { Owner } from '../_peck/owner-words'
import { reasonText, valueInPageLanguage } from '../_peck/page-words'
import { requesterName } from '../_peck/words'
import { listText } from '../_values/list-text'
import { nameWords } from '../_values/name-words'
import { isSameClock } from '../_values/same-clock'
import type { Filters } from './filters'
import type { InboxAnswer, InboxRow } from './rows'

/** An address, a path or a few recipients are whole. */
const maxValueLength = 200
/** A name of the asker stands before the value and must not push it out of the line. */
const maxNameLength = 24

type Value = InboxAnswer['items'][number]['values'][number]

/** Returns the line of a waiting request. `zone`: the time zone of the viewer, null when it is unknown. */
export function rowOf(
  item: InboxAnswer['items'][number],
  viewerId: string,
  zone: string | null = null,
): InboxRow {
  const { requester } = item
  const isOwn = requester.duckling_id === viewerId
  const own = freeTextValue(item.action, item.values)
  const isRepeated = item.scope !== 'limited'
  const shown = valuesOf(
    item.values.filter((value) => value !== own).map((value) => inOwnTime(valueInPageLanguage(value), zone)),
  )
  return {
    id: item.peck_id,
    asker: requester.agent_id ?? requester.duckling_id,
    ownerId: requester.duckling_id,
    name: requesterName(requester),
    operator: requester.agent_name === undefined ? null : isOwn ? 'you' : personName(requester),
    owner: isOwn ? null : ownerOf(requester),
    words: own === undefined ? actionLabel(item.action) : kept(quotedName(shownText(own))),
    ...shown,
    more: isRepeated ? [m.inbox_any_number_of_times(), ...shown.more] : shown.more,
    risk: item.risk_level,
    // What is as before has no warning, and says more than the reason of its level.
    reason: item.as_before ? m.inbox_as_before({ count: item.as_before.count }) : reasonText(item, viewerId),
    isFirstContact: item.first_contact,
    isFreeText: isFreeText(item.action),
    costsRepeatedly: isRepeated && shown.isAmount,
    isKnown: item.known,
    isAsBefore: item.as_before !== null,
    needsPasskey: item.needs_passkey,
    createdAt: item.created_at,
    expiresAt: item.expires_at,
  }
}

/** Copies only what the list shows, because a page may have 1,000 rows. */
function ownerOf({ duckling_id, handle, trust_tier, member_since }: Owner): Owner {
  return { duckling_id, handle, trust_tier, member_since }
}

/** Adds the viewer's own time to a time in another zone, unless both clocks show the same. */
function inOwnTime(value: Value, zone: string | null): Value {
  const { text, wording } = value
  if (wording?.sentence !== 'date_in_zone' || zone === null) return value
  const { date, time, zone: named } = wording.values ?? {}
  const at = `${date}T${time}${named === 'UTC' ? 'Z' : String(named).replace('UTC', '')}`
  if (Number.isNaN(Date.parse(at)) || isSameClock(at, zone)) return value
  return { ...value, text: m.inbox_with_own_time({ date: text, time: inZone(at, zone) }) }
}

/** Splits the values in the one that stands beside the words, the amount if there is one, and the others, in their order. */
function valuesOf(values: Value[]): Pick<InboxRow, 'value' | 'isAmount' | 'more' | 'payee'> {
  const amount = values.find(({ type, role, warning }) => role === 'amount' && type === 'money' && !warning)
  const first = amount ?? values[0]
  const payee = values.find(({ role, warning }) => role === 'recipient' && !warning)
  return {
    value: first === undefined ? null : valueText(first),
    isAmount: amount !== undefined,
    more: values.filter((value) => value !== first).map(valueText),
    payee: payee === undefined ? null : shownText(payee),
  }
}

/** Names of params that say no more than a date or a recipient does. */
const plainNames = new Set(['at', 'date', 'day', 'name', 'on', 'time', 'when'])

/** A number, a word or the end of a range alone says nothing, so it stands with its name: "guests: 4". An amount or an address says what it is. */
function valueText(value: Value): string {
  const { type, name, role } = value
  const text = shownText(value)
  if (role === 'recipient' && name === 'to') return m.inbox_to_recipient({ recipient: text })
  const isNamed = type === 'money' ? saysMore.test(snakeCase(name)) : namedTypes.has(type)
  const isPlain = role === 'object' || plainNames.has(name) || !isNamed
  return isPlain ? text : `${clipped(nameWords(name), maxNameLength)}: ${text}`
}

/** An amount an hour, a week or a year, at most or at least, or of before is another one than its number says. */
const saysMore =
  /(^|_)(per|pro|par|por|al|(half)?hour(ly)?|dai?ly|day|night(ly)?|week(ly)?|month(ly)?|year(ly)?|annual|stunde|tag|woche|monat|monatlich|jahr|jahrlich|max(imum)?|min(imum)?|limit|budget|up_to|old|previous|before|deposit|tip)(_|$)/

const namedTypes = new Set<Value['type']>(['value', 'secret', 'date'])

const shownText = ({ text }: Value): string => clipped(groupedIban(text) ?? listText(text), maxValueLength)

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

/** The query of the inbox. */

/** What a large window shows, as `firstLinesMax` in `request-list.tsx`. The open page asks for the rest at once. */
const firstRows = 30
/** The maximum of the API. */
const allRows = 1000

/**
 * Returns the query for the first rows, or for all. The page groups requests by asker unless it is sorted otherwise. The first rows are in the
 * order of these groups, so that nothing moves when the rest arrives. The API refuses a wrong value in the address, and the page says so.
 */
export function inboxQuery({ sort, ...filters }: Filters, isAll: boolean) {
  const grouped = isAll ? 'newest' : 'asker'
  const isGrouped = sort === '' || sort === 'newest'
  const query = {
    ...filters,
    sort: isGrouped ? grouped : sort,
    limit: String(isAll ? allRows : firstRows),
  }
  return query as QueryOf<'GET /beak/peck/inbox'>
}
