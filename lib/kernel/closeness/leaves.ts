/** Numbers, amounts and days as somebody could read them. A text with two readings has both. Only for comparison. */

import { moneyNameOf } from '@beak/decision/money-names'
import { snakeCase } from '@beak/decision/secret-values'
import { namesReached } from '@beak/proofs/rules/names'
import { plainForm, sameLook } from '@/lib/kernel/text/same-look'
import { decoded, fileParts, mailsIn, type WebAddress, webIn } from './places'

/** From the first to the last moment of a day, or a moment. In milliseconds since 1970. */
type Span = readonly [from: number, to: number]

const hourMs = 3_600_000
/** A day somewhere on earth begins up to 14 hours earlier or later than in UTC. */
const zonesMs = 14 * hourMs

const run = /[-\u2212]?(?:0x[0-9a-f]+|\d(?:[\d.,'\u2019_ ]*\d)?(?:e[+-]?\d{1,3})?)(?: ?[km](?![a-z]))?/gi
const powers: Record<string, number> = { k: 1e3, m: 1e6 }

/** Returns what one row of digits may mean: "4.800" is 4.8 and 4800. */
function numbersOfRun(text: string): number[] {
  const [, suffix = ''] = / ?([km])$/i.exec(text) ?? []
  const digits = text.replace(/ ?[km]$/i, '').replace(/[\u2019'_ ]/g, '')
  const groups = digits.split(/[.,]/)
  const [middle, decimals] = [groups.slice(1, -1), groups.at(-1) ?? '']
  // Versions and addresses of computers are no numbers.
  if (middle.some((group) => group.length !== 3 && !(group.length === 2 && decimals.length === 3))) return []
  const readings = [
    ...(groups.length === 1 || decimals.length === 3 ? [groups.join('')] : []),
    ...(groups.length === 1 ? [] : [`${groups.slice(0, -1).join('')}.${decimals}`]),
  ]
  return readings
    .map((reading) => Number(reading.replace('\u2212', '-')) * (powers[suffix.toLowerCase()] ?? 1))
    .filter(Number.isFinite)
}

/** Returns every number that stands in a text. */
export const numbersIn = (text: string): number[] => (text.match(run) ?? []).flatMap(numbersOfRun)

/** Words beside a number that leave it an amount: a currency. */
const besideNumber = /^(?:[a-z]{3}|euros?|dollars?|pounds?|francs?|k|m|e|x[a-f]*)?$/

/** Returns the numbers that a whole text is. None for a text that says more. */
function numbersOf(text: string): number[] {
  const letters = text.replace(/\P{L}/gu, '').toLowerCase()
  const runs = text.match(run) ?? []
  return runs.length === 1 && besideNumber.test(letters) ? numbersIn(text) : []
}

function daySpan(year: number, month: number, day: number): Span[] {
  const from = Date.UTC(year < 100 ? 2000 + year : year, month - 1, day)
  const date = new Date(from)
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? [[from, from + 24 * hourMs - 1]] : []
}

const month = /(?<!\p{L})(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*(?!\p{L})/iu

/** Returns the days and moments that a text may name: "3/4/2026" is a day of March and one of April. */
export function spansIn(text: string): Span[] {
  const iso = [...text.matchAll(/(?<!\d)(\d{4})(?:([-./ ]?)(\d{1,2})\2(\d{1,2}))(?!\d)/g)]
  const other = [...text.matchAll(/(?<!\d)(\d{1,2})[-./ ] ?(\d{1,2})[-./ ] ?(\d{4}|\d\d)(?!\d)/g)]
  const days = [
    ...iso.flatMap(([, year, , month, day]) => daySpan(Number(year), Number(month), Number(day))),
    ...other.flatMap(([, one, two, year]) => [
      ...daySpan(Number(year), Number(two), Number(one)),
      ...daySpan(Number(year), Number(one), Number(two)),
    ]),
  ]
  const isTime = text.length <= 40 && (/\d[T ]\d{1,2}:?\d\d/.test(text) || month.test(text))
  const time = isTime ? Date.parse(text) : Number.NaN
  const [, seconds] = /^(\d{9,10})(?:\d{3})?(?:\.\d+)?$/.exec(text) ?? []
  const moment = seconds === undefined ? time : Number(seconds) * 1000
  if (Number.isNaN(moment)) return days
  // Without a time, the moment is midnight of the server.
  return isTime && !/\d:\d|\dT\d/.test(text) ? daysAround(moment) : [[moment, moment]]
}

/** Returns the day of a local midnight, which can be the day before in UTC. */
function daysAround(midnight: number): Span[] {
  const date = new Date(midnight)
  return daySpan(date.getFullYear(), date.getMonth() + 1, date.getDate())
}

const isMoment = ([from, to]: Span): boolean => from === to

/** Tells whether two spans are the same day or moment, for a day and a moment in some time zone. */
function isSameTime(span: Span, other: Span): boolean {
  const slack = isMoment(span) === isMoment(other) ? 0 : zonesMs
  return span[0] - slack <= other[1] && other[0] <= span[1] + slack
}

/** Tells whether a span may be earlier than another one, or the same, in some time zone. */
export const mayBeEarlier = ([from]: Span, [, to]: Span): boolean => from - zonesMs <= to

/** The values within a value, and whether two of them are the same but for their spelling. */

/** A value that is no list and no object, with the names that lead to it. */
export interface Leaf {
  names: readonly string[]
  value: string | number | boolean
}

/** Further values are not compared: no rule that approves accepts a list or an object with more characters than 4,096. */
const leavesMax = 2048
/** A longer text is no other spelling of the text of a rule, which has at most 500 characters. */
const textMax = 4096
const partsMax = 50

function parsed(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns the values in a value at any depth, also in a text that is JSON. Empty ones are left out. */
export function leavesOf(name: string, value: unknown): Leaf[] {
  const found: Leaf[] = []
  const open: { names: string[]; value: unknown }[] = [{ names: name === '' ? [] : [name], value }]
  for (let next = open.pop(); next !== undefined && found.length < leavesMax; next = open.pop()) {
    const { names, value: inner } = next
    if (typeof inner === 'object' && inner !== null)
      for (const [key, one] of Object.entries(inner))
        open.push({ names: Array.isArray(inner) ? names : [...names, key], value: one })
    else if (typeof inner === 'string') {
      const json = parsed(inner)
      if (json !== undefined) open.push({ names, value: json })
      else if (inner !== '') found.push({ names, value: inner })
    } else if (typeof inner === 'number' || typeof inner === 'boolean') found.push({ names, value: inner })
  }
  return found
}

/** How a value can be read. Two values are close when they share one key. */
export interface Reading {
  keys: ReadonlySet<string>
  /** Those of `keys` that name somebody or something: addresses, paths, numbers of accounts and phones. */
  identities: ReadonlySet<string>
  web: readonly WebAddress[]
  /** The last digits of a number of a phone or an account. */
  digits: string | null
  spans: readonly Span[]
}

/** Signs between digits count, because 1.10 is not 11.0. All others can be left out, except the plus of "C++". */
function textKey(text: string): string {
  const joined = text
    .replace(/(?<=\d)[^\p{L}\p{N}]+(?=\d)/gu, '.')
    .replace(/(?!(?<=\d)\.(?=\d))[^\p{L}\p{N}+]+/gu, '')
  return sameLook(joined === '' ? text : joined)
}

const yes = /^(?:true|yes|y|on|1|t)$/i
const no = /^(?:false|no|n|off|0|f)$/i

/** Returns the digits of a phone, an account or a card, and null for dates and numbers with decimals. */
function digitsOf(text: string): string | null {
  const digits = text.replace(/\D/g, '').replace(/^0+/, '')
  const isDotted = /\d[.,]\d/.test(text) || /^\d{4}-\d\d-\d\d/.test(text)
  return digits.length < 7 || isDotted || (text.match(/\p{L}/gu)?.length ?? 0) > 2 ? null : digits
}

/** Tells whether a text is a day or a time and nothing else. */
const isDate = (text: string): boolean =>
  text.length <= 40 &&
  /^[^\p{L}]*\d[^\p{L}]*(?:\p{L}{3,9}[^\p{L}]*)?$|^[^\p{L}]*\p{L}{3,9}[^\p{L}]*$|^[\d:.+T Z-]+$/u.test(text)

/** Returns how a value can be read. */
export function readingOf({ value }: Pick<Leaf, 'value'>): Reading {
  const whole = plainForm(String(value))
  const texts = [...new Set([whole, decoded(whole)])]
  const web = texts.flatMap(webIn)
  const isPath = (text: string) => /^(?:file:|[a-z]:)?[/\\]/i.test(text)
  const pathKey = (text: string) => `path ${fileParts(text).join('/')}`
  const squeezed = sameLook(whole.slice(0, textMax).replace(/[^\p{L}\p{N}]/gu, ''))
  const isNumbered = whole.replace(/\D/g, '').length >= 6 && squeezed.length >= 8 && web.length === 0
  const identities = [
    ...texts.flatMap(mailsIn).map(({ address }) => `mail ${address}`),
    ...web.map(({ base }) => `web ${base}`),
    ...texts.filter(isPath).map(pathKey),
    ...(isNumbered ? [`number ${squeezed}`] : []),
  ]
  // Addresses and paths can be made long without leading elsewhere.
  if (whole.length > textMax)
    return { keys: new Set(identities), identities: new Set(identities), web, digits: null, spans: [] }
  const parts = whole.split(/[,;|]/).slice(0, partsMax)
  const names = [whole, ...(parts.length > 1 ? parts : [])].map(textKey)
  return {
    keys: new Set([
      ...identities,
      ...texts.filter((text) => /[/\\]/.test(text)).map(pathKey),
      ...names.map((name) => `text ${name}`),
      ...numbersOf(whole).map((number) => `size ${number}`),
      ...(yes.test(whole) ? ['yes'] : no.test(whole) ? ['no'] : []),
    ]),
    identities: new Set(identities),
    web,
    digits: digitsOf(whole),
    spans: isDate(whole) ? spansIn(whole) : [],
  }
}

function share(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
  for (const key of left) if (right.has(key)) return true
  return false
}

/** Tells whether an address leads where another one leads. Items that the query has besides do not matter. */
const leadsTo = (found: WebAddress, wanted: WebAddress) =>
  found.base === wanted.base && [...wanted.query].every((item) => found.query.has(item))

const isEnding = (left: string, right: string) => left.endsWith(right) || right.endsWith(left)

/** Tells whether a value can be another spelling of a wanted one. `isElsewhere`: it is the value of another param. */
export function isClose(found: Reading, wanted: Reading, isElsewhere: boolean): boolean {
  const isSameNumber =
    found.digits !== null && wanted.digits !== null && isEnding(found.digits, wanted.digits)
  if (wanted.web.some(({ query }) => query.size > 0))
    return found.web.some((one) => wanted.web.some((other) => leadsTo(one, other)))
  if (isElsewhere) return share(found.identities, wanted.identities) || isSameNumber
  const isSameDay = found.spans.some((span) => wanted.spans.some((other) => isSameTime(span, other)))
  return share(found.keys, wanted.keys) || isSameNumber || isSameDay
}

/** What a name says. Requests have the same names again and again. */
interface NameFacts {
  look: string
  key: string
  /** What two names have in common that can stand for each other: amounts, and what an action reaches. */
  kind: 'money' | 'reached' | null
}

const names = new Map<string, NameFacts>()
const namesMax = 2000

function factsOf(name: string): NameFacts {
  const known = names.get(name)
  if (known !== undefined) return known
  const key = sameLook(snakeCase(plainForm(name)) || name)
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replace(/s$/, '')
  const kind = moneyNameOf(name) === 'amount' ? 'money' : namesReached(name) ? 'reached' : null
  const facts = { look: sameLook(name), key: key === '' ? name : key, kind } as const
  if (names.size >= namesMax) names.clear()
  names.set(name, facts)
  return facts
}

/** Tells whether the name of a param is the wanted one, or a spelling of it. */
export const isSameName = (name: string, wanted: string): boolean =>
  factsOf(name).look === factsOf(wanted).look || factsOf(name).key === factsOf(wanted).key

/** Tells whether two names can stand for the same: "payee" for "to", "total" for "amount". */
export const isOfSameKind = (name: string, wanted: string): boolean =>
  factsOf(name).kind !== null && factsOf(name).kind === factsOf(wanted).kind
