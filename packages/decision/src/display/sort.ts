/**
 * The order of the values on the wire, which all pages and clients show, and what is added to them there. Neither is a part of what a passkey
 * signs: there, values have the order of the params. An asker chooses the names and the order of the params, so neither decides the order.
 */

import { type MoneyName, moneyNameOf } from '../money-names'
import { namesRecipient, namingRank, namingWord, objectNaming, sends } from '../naming-names'
import { displayTypes } from '../param-types'
import type { Params } from '../params'
import { hiddenSecret, snakeCase } from '../secret-values'
import { currencyCode } from './currencies'
import { isCurrencyOfAmount } from './currency-value'
import type { Display } from './display'
import { registrableDomain } from './domain'
import { findMoney, size } from './money'
import { besideOf, type DisplayValue, type ValueWording, wordingOf } from './value'

export interface SortedValue extends DisplayValue, ValueWording {
  decides?: true
  domain?: string
}

interface SortedDisplay extends Display {
  values: SortedValue[]
}

/** What the asker sent. */
export interface Sent {
  action: string
  params: Params
}

/** What decides more comes first. */
const groups = ['warning', 'secret', 'money', 'name', 'other', 'flag', 'currency'] as const

export interface Place {
  value: DisplayValue
  group: (typeof groups)[number]
  /** Within the group, the lowest first. */
  rank: number
}

/**
 * Returns the values sorted: those with a warning, secrets, amounts (the largest first), what the action is done to, all others by type, and
 * last what is only true or false. Marks the first that is no secret and not only true or false: it decides most. Marks none when several
 * name what the action is done to equally, because the asker could choose a harmless one.
 */
export function sortValues(values: DisplayValue[], { action, params }: Sent): SortedValue[] {
  const sorted = placesOf(values, { action, params })
  const first = sorted.find(({ value, group }) => value.type !== 'secret' && group !== 'flag')
  const deciding = first === undefined || isAmbiguous(first, sorted) ? undefined : first
  const beside = besideOf(params)
  return withRanges(sorted, action).map((place) => {
    const domain = registrableDomain(place.value)
    return {
      ...place.value,
      ...wordingOf(place.value, params[place.value.name], beside),
      ...(domain === null ? {} : { domain }),
      ...(place === deciding ? { decides: true } : {}),
    }
  })
}

export const placesOf = (values: DisplayValue[], sent: Sent): Place[] =>
  values.map((value) => placeOf(value, values, sent)).sort(compare)

/** Names of the beginning and the end of one range: of times, of places. */
const ranges = [
  ['from', 'to'],
  ['from', 'until'],
  ['since', 'until'],
  ['start', 'end'],
  ['starts_at', 'ends_at'],
  ['start_date', 'end_date'],
  ['start_time', 'end_time'],
  ['check_in', 'check_out'],
  ['departure', 'arrival'],
  ['origin', 'destination'],
]

/**
 * Puts the beginning of a range directly before its end, at the earlier of their two places, so that neither is buried. "to" is no end of
 * a range when it says whom the action reaches, and what needs a warning or is secret keeps its place.
 */
export function withRanges(sorted: Place[], action: string): Place[] {
  const [verb = ''] = action.split(':')
  const isPlain = ({ value, group }: Place) =>
    group !== 'warning' && group !== 'secret' && !(sends(verb) && namesRecipient(value.name))
  const named = (name: string | undefined) =>
    sorted.find((place) => snakeCase(place.value.name) === name && isPlain(place))
  const found = ranges.flatMap(([beginning, ending]) => {
    const [start, end] = [named(beginning), named(ending)]
    return start === undefined || end === undefined ? [] : [{ start, end }]
  })
  return found.slice(0, 1).reduce((places, { start, end }) => {
    const rest = places.filter((place) => place !== start && place !== end)
    const before = places.slice(0, Math.min(places.indexOf(start), places.indexOf(end)))
    return [...before, start, end, ...rest.slice(before.length)]
  }, sorted)
}

/** Whether another value names what the action is done to as well. */
const isAmbiguous = (place: Place, all: Place[]) =>
  place.group === 'name' &&
  all.some((other) => other !== place && other.group === 'name' && other.rank === place.rank)

/** Equal ranks: the longer text first, then by the text itself. Names come last, because the asker chooses them. */
function compare(left: Place, right: Place): number {
  return (
    groups.indexOf(left.group) - groups.indexOf(right.group) ||
    left.rank - right.rank ||
    right.value.text.length - left.value.text.length ||
    order(left.value.text, right.value.text) ||
    order(left.value.name, right.value.name)
  )
}

/** Compares by code units, so that every machine gives the same order. */
const order = (left: string, right: string) => (left < right ? -1 : left > right ? 1 : 0)

function placeOf(value: DisplayValue, all: DisplayValue[], { action, params }: Sent): Place {
  const { name, type, warning } = value
  const typeRank = displayTypes.indexOf(type)
  if (warning !== undefined) return { value, group: 'warning', rank: typeRank }
  if (type === 'secret') return { value, group: 'secret', rank: 0 }
  if (isCurrencyOfAmount(value, all)) return { value, group: 'currency', rank: 0 }
  const raw = params[name]
  const amount = amountOf(type, name, raw, currencyCode(params.currency))
  if (amount !== null) return { value, group: 'money', rank: -amount }
  if (typeof raw === 'boolean' || raw === null) return { value, group: 'flag', rank: 0 }
  const naming = rankOf(name, raw, action)
  return naming === null ? { value, group: 'other', rank: typeRank } : { value, group: 'name', rank: naming }
}

/** Returns the place of a param among those that name what the action is done to: whom it reaches, then the object, then `name` and the like. */
function rankOf(name: string, raw: unknown, action: string): number | null {
  const [verb = '', object = ''] = action.split(':')
  // Both also as lists: `databases: ["customers", "billing"]`.
  if (sends(verb) && namesRecipient(name)) return (namingRank(name) ?? 0) - recipientsFirst
  if (objectNaming(name, object) === 'object') return -1
  return typeof raw === 'object' ? null : namingRank(name)
}
const recipientsFirst = 100

/** Returns the largest amount of a value that is shown as money, or that has members, else null. A text with an amount in it is no amount. */
function amountOf(
  type: DisplayValue['type'],
  name: string,
  raw: unknown,
  currency: string | null,
): number | null {
  if (type === 'money') return largest(raw, 'amount', currency)
  return typeof raw === 'object' && raw !== null ? largest(raw, moneyNameOf(name), null) : null
}

function largest(raw: unknown, name: MoneyName, currency: string | null): number | null {
  const { amounts } = findMoney(raw, name, currency)
  const isWhole = amounts.length > 0 || typeof raw !== 'object' || raw === null
  // An amount with its currency is one amount. Items of a list have the name of the list.
  const inner = isWhole
    ? []
    : Object.entries(raw).map(([key, value]) =>
        largest(value, Array.isArray(raw) ? name : moneyNameOf(key), null),
      )
  const sizes = [...amounts.map(size), ...inner.filter((found) => found !== null)]
  return sizes.length === 0 ? null : Math.max(...sizes)
}

/** Returns a display with sorted values. */
export function sortDisplay(display: Display, sent: Sent): SortedDisplay {
  return { ...display, values: sortValues(display.values, sent) }
}

/**
 * Returns the value that decides most, for lists: a secret is hidden there. Null without params, when all are only true or false, and when
 * several name what the action is done to equally.
 */
export function decidingValue({ values }: Display, sent: Sent): SortedValue | null {
  const sorted = sortValues(values, sent)
  const [first] = sorted
  if (first?.type === 'secret') return { ...first, text: hiddenSecret }
  return sorted.find(({ decides }) => decides) ?? null
}

/** What a mail says about the params: the largest amount, or what the action is done to. */
export interface NamedValue {
  /** The name of the param. */
  name: string
  role: 'amount' | 'recipient' | 'object' | 'other'
  /** A word of the service for the param, such as "table". */
  word: string
  type: DisplayValue['type']
  text: string
  domain: string | null
}

export function roleOf({ value, group }: Place, { action }: Sent): NamedValue['role'] | null {
  const [verb = '', object = ''] = action.split(':')
  if (value.type === 'secret' || group === 'flag' || group === 'currency') return null
  if (value.type === 'money' || group === 'money') return 'amount'
  if (sends(verb) && namesRecipient(value.name)) return 'recipient'
  if (objectNaming(value.name, object) !== null) return 'object'
  return namingRank(value.name) === null ? null : 'other'
}

/**
 * Returns the largest amount, or else what the action is done to. Null when there is neither, when several name it equally, and when one of
 * several needs a warning: the asker could choose which of them is shown.
 */
export function namedValue({ values }: Display, sent: Sent): NamedValue | null {
  const places = placesOf(values, sent)
  const named = places.flatMap((place) => {
    const role = roleOf(place, sent)
    return role === null ? [] : [{ place, role }]
  })
  const [first] = named
  if (first === undefined || isAmbiguous(first.place, places)) return null
  if (named.length > 1 && named.some(({ place }) => place.value.warning !== undefined)) return null
  const { value } = first.place
  const domain = registrableDomain(value)
  return {
    name: value.name,
    role: first.role,
    word: namingWord(value.name),
    type: value.type,
    text: value.text,
    domain,
  }
}
