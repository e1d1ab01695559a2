/** What the rules of risk look for in the raw params, at any depth and in values of every type of JSON. */
import { addressesIn, lookAlikes } from '../addresses'
import { aboutAmount, findMoney, type Money, type MoneyFound, size, twoReadings } from '../display/money'
import { hasHiddenCharacters } from '../display/value'
import { countsMinorUnits, moneyNameOf } from '../money-names'
import type { Params } from '../params'
import { type SecretKind, secretKind, snakeCase } from '../secret-values'
import { structuredAmounts } from './amounts'
import { dangerousCommand, looksLikeCommand, runsDownload } from './commands'
import { wordsOf } from './concepts'
import * as names from './param-names'
import { namesProduction, valueNamesProduction } from './production'
import { readTexts } from './texts'
import { folded } from './words'

/** One value of the params, at any depth. */
export interface Field {
  /** In snake case. */
  name: string
  /** The names around it, in snake case: "devices.garage". Empty at the top. */
  path: string
  /** A text, a number, true, false or null. An object or a list is `{}`. */
  value: unknown
  /** The words of a text, once somebody asked for them. */
  words?: string[]
}

export interface Content {
  /** The largest amount of money. */
  largest: Money | null
  /** Whether a value names an amount that cannot be read exactly. */
  hasUnclearAmount: boolean
  /** The two amounts that one unclear amount can mean, €4,800.00 and €4.80. Null: none has two. */
  readings: [Money, Money] | null
  /** The amount of "about 15 EUR", when it is the only unclear one and none is larger. */
  about: Money | null
  isProduction: boolean
  /** The name of a param that removes a safeguard, such as `cascade: true`. Raw, like all names here. */
  force: string | null
  /** The name of a param that destroys something, such as `delete: true`, or the program of its command: "rm -rf". */
  destroys: string | null
  /** The program of a dangerous command: "git push". */
  command: string | null
  /** With whose rights a command runs a program from the internet. */
  download: 'user' | 'administrator' | null
  hasCommand: boolean
  /** The name of a param that gives control: `role: "admin"`. */
  control: string | null
  /** Whether a value is an access right. */
  hasAccess: boolean
  /** What kind of secret the params have: "secret key". Null: none. */
  secret: SecretKind | null
  /** Whether a text has invisible characters, or an address has letters that look like others. */
  isHidden: boolean
  /** Whether a param says that something else happens besides the action. */
  acts: boolean
  hasAmountInWords: boolean
  mentionsSecret: boolean
  /** The email addresses and the hosts of URLs, anywhere in a text. */
  addresses: string[]
  /** `name=value` for each value that is no prose, in snake case and without accents. */
  lines: string[]
  /** Whether any prose was left out of the lines. */
  hasProse: boolean
  /** All values, also prose. */
  fields: Field[]
}

const depthMax = 64
/** Of the names around a value the innermost count. */
const pathMax = 200
/** Values inside of more texts than these are texts. */
const inTextsMax = 3

/** Where a value stands. */
interface Place {
  depth: number
  path: string
  /** The code beside the value. */
  currency: string | null
  texts: names.Texts
  /** In how many texts it is: JSON in JSON. */
  inTexts: number
  /** The values of which an amount cannot be read exactly. */
  unclear: unknown[]
}

/** Reads the params. `texts`: which names hold prose in this action. */
export function contentOf(params: Params, texts: names.Texts = names.plainTexts): Content {
  const found: Content = {
    largest: null,
    hasUnclearAmount: false,
    readings: null,
    about: null,
    isProduction: false,
    force: null,
    destroys: null,
    command: null,
    download: null,
    hasCommand: false,
    control: null,
    hasAccess: false,
    secret: null,
    isHidden: false,
    acts: false,
    hasAmountInWords: false,
    mentionsSecret: false,
    addresses: [],
    lines: [],
    hasProse: false,
    fields: [],
  }
  found.secret = secretKind('', params)
  const unclear: unknown[] = []
  lookInside(found, '', params, { depth: 0, path: '', currency: null, texts, inTexts: 0, unclear })
  const [only] = unclear
  const about = unclear.length === 1 && typeof only === 'string' ? aboutAmount(only) : null
  if (about !== null && (found.largest === null || size(about) >= size(found.largest))) found.about = about
  return found
}

function lookInside(found: Content, name: string, value: object, place: Place): void {
  const amounts = structuredAmounts(value)
  addMoney(found, amounts)
  if (amounts.isUnclear) place.unclear.push(value)
  const command = names.commandLine(value)
  addCommand(found, command)
  // The words of a command in a list are one line.
  if (command !== '' && (!Array.isArray(value) || /^(?:arg|cmd|command|flag|option)/.test(name)))
    found.lines.push(`command=${folded(command)}`)
  const path = name === '' ? place.path : `${place.path}.${snakeCase(name)}`.slice(-pathMax)
  const inside = { ...place, depth: place.depth + 1, path, currency: amounts.currency }
  for (const [key, inner] of Object.entries(value))
    look(found, Array.isArray(value) ? name : names.nameInside(name, key), inner, inside)
}

function look(found: Content, name: string, value: unknown, place: Place): void {
  lookAtName(found, name, value)
  addLine(found, name, value, place)
  if (!isText(name, value, place) && !countsMinorUnits(name)) {
    const money = findMoney(value, moneyNameOf(name), place.currency)
    addMoney(found, money)
    if (money.isUnclear) place.unclear.push(value)
    if (money.isUnclear && typeof value === 'string') found.readings ??= twoReadings(value, place.currency)
  }
  if (typeof value === 'string') lookAtText(found, name, value, place)
  // Params nest at most as deep as 4 KiB of brackets. Deeper values count as hidden instead of overflowing the stack.
  if (place.depth > depthMax) found.isHidden = true
  else if (typeof value === 'object' && value !== null) lookInside(found, name, value, place)
}

const isText = (name: string, value: unknown, { texts }: Place) =>
  typeof value === 'string' && texts.isProse(snakeCase(name))

function lookAtName(found: Content, name: string, value: unknown): void {
  if (hasHiddenCharacters(name)) found.isHidden = true
  lookAtAddresses(found, name)
  const words = snakeCase(name)
  if (namesProduction(words) && !names.isFalse(value)) found.isProduction = true
  if (names.removesSafeguard(words, value)) found.force ??= name
  found.destroys ??= names.destroying(name, words, value)
  if (names.actsBesides(words, value)) found.acts = true
  if (names.isAmountInWords(words, value)) found.hasAmountInWords = true
  const access = names.accessOf(words, value)
  if (access !== null) found.hasAccess = true
  if (access === 'control') found.control ??= name
}

const container = {}

function addLine(found: Content, name: string, value: unknown, { texts, path }: Place): void {
  const words = snakeCase(name)
  found.fields.push({
    name: /^[\w.-]*$/.test(name) ? words : wordsOf(name).join('_'),
    path,
    value:
      typeof value !== 'object' || value === null
        ? value
        : Object.keys(value).length === 0
          ? null
          : container,
  })
  if (typeof value === 'string' && texts.isProse(words)) found.hasProse = true
  else if (typeof value === 'object' && value !== null)
    found.lines.push(Object.keys(value).length === 0 ? `${words}=` : `${words}={`)
  else {
    const line = `${words}=${folded(String(value)).replace(/\s+/g, ' ').trim()}`
    found.lines.push(line)
    // Another spelling of the same: "Login%20Data".
    if (/%[0-9a-f]{2}/.test(line))
      found.lines.push(line.replace(/%20/g, ' ').replace(/%2f/g, '/').replace(/%2e/g, '.'))
  }
}

function addMoney(found: Content, { amounts, isUnclear }: MoneyFound): void {
  if (isUnclear) found.hasUnclearAmount = true
  for (const money of amounts)
    if (found.largest === null || size(money) > size(found.largest)) found.largest = money
}

function addCommand(found: Content, text: string): void {
  const command = text === '' ? null : dangerousCommand(text)
  if (command === null || found.command !== null) return
  found.command = command
  found.download = runsDownload(text)
}

function lookAtText(found: Content, name: string, text: string, place: Place): void {
  if (hasHiddenCharacters(text)) found.isHidden = true
  lookAtAddresses(found, text)
  const inner = place.inTexts < inTextsMax ? readTexts(text) : null
  if (inner !== null) {
    found.secret ??= secretKind(name, inner)
    lookInside(found, name, inner, { ...place, inTexts: place.inTexts + 1 })
  }
  const words = snakeCase(name)
  if (place.texts.isProse(words)) return
  addCommand(found, text)
  if (names.mentionsSecret(text)) found.mentionsSecret = true
  if (looksLikeCommand(words, text) || names.isChangingMethod(words, text)) found.hasCommand = true
  if (valueNamesProduction(words, text, place.texts)) found.isProduction = true
}

function lookAtAddresses(found: Content, text: string): void {
  for (const { text: address, place } of addressesIn(text)) {
    found.addresses.push(place)
    if (lookAlikes(address).length > 0) found.isHidden = true
  }
}

/** Returns the words of a text. */
export function wordsIn(field: Field): string[] {
  field.words ??= typeof field.value === 'string' ? wordsOf(field.value) : []
  return field.words
}
