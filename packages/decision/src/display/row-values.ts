/** What a list shows of the params of a peck, so that two requests for the same action are told apart without opening them. */

import { hiddenSecret } from '../secret-values'
import type { Display } from './display'
import { type NamedValue, type Place, placesOf, roleOf, type Sent, withRanges } from './sort'
import { besideOf, type DisplayValue, type ValueWording, wordingOf } from './value'

export interface RowValue extends DisplayValue, ValueWording {
  /** What the value says about the action. Absent: neither an amount nor what the action is done to. */
  role?: NamedValue['role']
}

/** A list shows this many values, and besides these what may not be left out. */
const firstMax = 3
const namesMax = 2
/** A longer text is prose, which says less than what stands beside it. */
const proseLength = 100
/** An address or a path is whole. A list of a hundred recipients is not. */
const rowTextMax = 1000
/** Of the other values only these are looked at for what the risk comes from: `true` first. */
const candidatesMax = 12
const matchedMax = 3

/**
 * Returns the values of a row, in the order of the details: the first three, always the largest amount and what the action is done to, and the
 * values that the risk comes from, which `isMatched` finds. A secret is hidden.
 */
export function rowValues({ values }: Display, sent: Sent, isMatched: (name: string) => boolean): RowValue[] {
  const places = withRanges(placesOf(values, sent), sent.action)
  const short = places.filter((place) => !isLeftOut(place))
  const plain = short.filter((place) => !isProse(place))
  const shown = new Set([
    ...(plain.length > 0 ? plain : short).slice(0, firstMax),
    ...places.filter(({ group }) => group === 'money').slice(0, 1),
    ...places.filter(({ group }) => group === 'name').slice(0, namesMax),
  ])
  const candidates = places
    .filter((place) => !shown.has(place) && place.group !== 'currency')
    .sort((left, right) => Number(isTrue(right)) - Number(isTrue(left)))
    .slice(0, candidatesMax)
  const matched = candidates.filter(({ value }) => isMatched(value.name)).slice(0, matchedMax)
  for (const place of matched) shown.add(place)
  return places.filter((place) => shown.has(place)).map((place) => rowValue(place, sent))
}

const isLeftOut = ({ group }: Place) => group === 'flag' || group === 'currency'
const isTrue = ({ value }: Place) => value.text === 'true'

/** What has a warning is never prose, so that an asker cannot leave it out by its length. */
const isProse = ({ value: { type, text }, group }: Place) =>
  group !== 'warning' && (type === 'diff' || (type === 'text' && text.length > proseLength))

/** The last of the characters may be half of one. */
const cut = (text: string): string =>
  text.length <= rowTextMax ? text : `${[...text.slice(0, rowTextMax)].slice(0, -1).join('')}…`

function rowValue(place: Place, sent: Sent): RowValue {
  const { name, type, text, warning } = place.value
  const role = roleOf(place, sent)
  return {
    name,
    type,
    text: type === 'secret' ? hiddenSecret : cut(text),
    ...(warning === undefined ? {} : { warning }),
    ...wordingOf(place.value, sent.params[name], besideOf(sent.params)),
    ...(role === null ? {} : { role }),
  }
}
