/** The values within a value, and whether two of them are the same but for their spelling. */
import { namesReached } from '@beak/client/verify/rules/names'
import { moneyNameOf } from '@/lib/kernel/text/money-names'
import { plainForm, sameLook } from '@/lib/kernel/text/same-look'
import { snakeCase } from '@/lib/kernel/text/secret-values'
import { decoded, fileParts, mailsIn, type WebAddress, webIn } from './places'
import { isSameTime, numbersOf, type Span, spansIn } from './sizes'

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
