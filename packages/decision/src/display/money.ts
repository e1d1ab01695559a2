/**
 * Amounts of money in params, as people write them in JSON: `{amount, currency}`, "€4,800.00", "4.800,00 EUR", "4800 eur", 4800. An amount
 * that two people can read differently, such as "4.800 €", is never converted.
 */

import { decimalsOf } from '@beak/proofs/rules/money'
import { countsMinorUnits, type MoneyName, moneyNameOf } from '../money-names'
import { snakeCase } from '../secret-values'
import {
  currencyCode,
  currencyInText,
  currencyMark,
  currencyOf,
  isCurrencyMark,
  otherCodes,
} from './currencies'
import { dateWords } from './date'

export interface Money {
  amount: number
  /** ISO 4217, or `$` or `¥`, which several currencies use. Null when the value names no currency. */
  currency: string | null
}

const shownSigns: Record<string, string> = {
  EUR: '€',
  GBP: '£',
  INR: '₹',
  USD: 'US$',
  $: '$',
  '¥': '¥',
}

/** Whole digits, plain or in groups of three, and decimals. */
const numberForm = /^(\d{1,3}(?:([,.'’ \u00a0\u2009\u202f])\d{3})(?:\2\d{3})*|\d{1,15})(?:([.,])(\d{1,18}))?$/
/** Groups as in India: "1,00,000.00". No other reading has groups of two. */
const indianForm = /^(\d{1,2}(?:,\d{2})+,\d{3})(?:\.(\d{1,2}))?$/
/** Amounts of currencies with three decimals, such as dinars: "1.500". */
const thousandthsForm = /^(\d{1,12}|\d{1,3}(?:,\d{3})+)\.(\d{3})$/
/** One group, of currencies without a minor unit. Nothing else has three digits behind a comma there: "1,200" yen, not 1.2. */
const wholeForm = /^([1-9]\d{0,2}),(\d{3})$/
/** A double stores this many digits exactly. */
const digitsMax = 15

/** Yen and yuan share the sign. Where either is paid, a comma never stands before decimals. */
const isWhole = (currency: string | null) =>
  currency === '¥' || (currency !== null && decimalsOf(currency) === 0)
const isThousandths = (currency: string | null) => currency !== null && decimalsOf(currency) === 3

/** Returns the number that a text writes, or null when it is no number or can be read in two ways: "4.800" is 4,800 or 4.8. */
function numberIn(text: string, currency: string | null): number | null {
  const [, thousands, rest] = (isWhole(currency) && wholeForm.exec(text)) || []
  if (thousands !== undefined) return Number(`${thousands}${rest}`)
  const plain = indianForm.exec(text) ?? (isThousandths(currency) ? thousandthsForm.exec(text) : null)
  if (plain !== null) return exactNumber((plain[1] ?? '').replaceAll(',', ''), plain[2] ?? '')
  const [, whole, group, point, decimals = ''] = numberForm.exec(text) ?? []
  if (whole === undefined) return null
  const isOneGroup = group !== undefined && whole.split(group).length === 2
  const hasNoDecimals = point === undefined && (group === '.' || group === ',')
  if (decimals.length === 3 || (isOneGroup && hasNoDecimals)) return null
  const digits = whole.replace(/\D/g, '')
  const isSplitTwice = point !== undefined && point === group
  return isSplitTwice ? null : exactNumber(digits, decimals)
}

/** Returns a number with these digits, or null when they are more than a double stores. */
function exactNumber(digits: string, decimals: string): number | null {
  if ((digits + decimals).replace(/^0+/, '').length > digitsMax) return null
  return Number(`${digits}.${decimals || '0'}`)
}

/** A number with a dot or comma before exactly three last digits: "4.800". */
const ambiguousForm = /^(\d{1,3})([.,])(\d{3})$/

const amountForm = new RegExp(
  `^([-−]?)\\s?(${currencyMark})?\\s?([-−]?)(\\d.*?)\\s?(${currencyMark})?\\s?(${currencyMark})?$`,
  'su',
)

/** Returns the amount that a whole text writes, or null. A text without a currency only counts with `isMoney`. */
function readAmount(text: string, isMoney: boolean, beside: string | null): Money | null {
  const [, outer, before, inner, digits = '', ...after] = amountForm.exec(text.trim()) ?? []
  const marks = [before, ...after].filter((mark) => mark !== undefined)
  const currency = marks.length === 0 ? beside : currencyOf(marks)
  const number = numberIn(digits, currency)
  if (number === null || (outer && inner) || !marks.every((mark) => isCurrencyMark(mark, isMoney)))
    return null
  const amount = outer || inner ? -number : number
  if (marks.length === 0) return isMoney ? { amount, currency } : null
  return currency === null ? null : { amount, currency }
}

/**
 * Returns the two amounts that a text can mean, "4.800 €" as €4,800.00 and €4.80, the larger first. Null for any other text. `beside`: the
 * code that stands beside the text.
 */
export function twoReadings(text: string, beside: string | null): [Money, Money] | null {
  const [, outer, before, inner, digits = '', ...after] = amountForm.exec(text.trim()) ?? []
  const [, whole, , decimals] = ambiguousForm.exec(digits) ?? []
  if (whole === undefined || decimals === undefined) return null
  const marks = [before, ...after].filter((mark) => mark !== undefined)
  if ((outer && inner) || !marks.every((mark) => isCurrencyMark(mark, true))) return null
  const currency = marks.length === 0 ? beside : currencyOf(marks)
  const sign = outer || inner ? -1 : 1
  const readAs = (amount: number): Money => ({ amount: amount * sign, currency })
  return [readAs(Number(`${whole}${decimals}`)), readAs(Number(`${whole}.${decimals}`))]
}

/** A word before an amount that is not exact. */
const aboutForm =
  /^(?:about|around|approx(?:\.|imately)?|roughly|circa|ca\.?|some|etwa|ungef\u00e4hr|rund|env(?:\.|iron)|~|\u2248)\s*(?=[^\s])/i

/** Returns the amount of a text such as "about 15 EUR", which names a currency, or null. It is never an exact amount. */
export function aboutAmount(text: string): Money | null {
  const rest = text.trim().replace(aboutForm, '')
  return rest === text.trim() ? null : readAmount(rest, false, null)
}

/** A word that multiplies a number, or letters that belong to it: "4.8k", "1e5". */
const numberEnd =
  '(?:\\p{L}+\\p{Nd}*|\\s(?:[kKmM]|[mM](?:n|io|rd|illion)|M(?:IO|RD)|[bB](?:n|illion)|[tT](?:sd|housand))(?!\\p{L}))?'
/** Digits of any script, with what groups them. */
const number = `(?<!\\p{Nd}[.,'’]?)\\p{Nd}+(?:[.,'’]\\p{Nd}+|\\s\\p{Nd}{3}(?!\\p{Nd}))*${numberEnd}`
const amountsInText = [`${currencyInText}\\s{0,2}${number}`, `${number}\\s{0,2}${currencyInText}`].map(
  (pattern) => new RegExp(pattern, 'gu'),
)

/** More amounts than this in one text are not worth the time: the text then has one that cannot be read. */
const readMax = 50

/**
 * Returns the amounts that stand beside a currency anywhere in a text. "1 EUR 4800" has two. Null stands for an amount that cannot be read
 * exactly.
 */
function amountsInside(text: string): (Money | null)[] {
  const found = amountsInText.flatMap((pattern) => text.match(pattern) ?? [])
  const amounts = found.slice(0, readMax).map((amount) => readAmount(amount, false, null))
  return found.length > readMax ? [...amounts, null] : amounts
}

/** What a value says about money. */
export interface MoneyFound {
  amounts: Money[]
  /** Whether the value names an amount that cannot be read exactly. */
  isUnclear: boolean
}

/** A text of this length that has a currency sign and a digit is an amount. */
const amountMax = 40

/** Whether a text is short enough to be an amount and nothing else. */
export const isShortAmount = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= amountMax

/**
 * Returns the amounts in a value of JSON, without those inside of objects and lists. `name`: what its name says about money. `currency`:
 * the code that stands beside the value, as in `{"amount": 40, "currency": "EUR"}`.
 */
export function findMoney(value: unknown, name: MoneyName, currency: string | null = null): MoneyFound {
  const whole = moneyIn(value, name !== null, currency)
  if (whole !== null) return { amounts: [whole], isUnclear: false }
  if (typeof value !== 'string' || !/\p{Nd}/u.test(value)) return { amounts: [], isUnclear: false }
  const inside = amountsInside(value)
  const amounts = inside.filter((money) => money !== null)
  const isNamed = name === 'amount' && dateWords(value) === null
  const hasSign = inside.length === 0 && isShortAmount(value) && /\p{Sc}/u.test(value)
  return { amounts, isUnclear: isNamed || hasSign || amounts.length < inside.length }
}

/** Returns the amount when the whole value is one, else null. A value without a currency only counts with `isMoney`. */
export function moneyIn(value: unknown, isMoney: boolean, currency: string | null = null): Money | null {
  if (typeof value === 'object' && value !== null) {
    const { amount, currency: named, unit, ...rest } = value as Record<string, unknown>
    const code = currencyCode(named)
    if (code === null || Object.keys(rest).length > 0) return null
    if (unit !== undefined) {
      const money = minorMoney('amount', amount, { currency: code, unit })
      return money === 'unclear' ? null : money
    }
    const money = typeof amount === 'object' ? null : moneyIn(amount, true, code)
    return money?.currency === code ? money : null
  }
  if (typeof value === 'string') return readAmount(value, isMoney, currency)
  const isAmount = isMoney && typeof value === 'number' && Number.isFinite(value)
  return isAmount ? { amount: value, currency } : null
}

/** What stands beside an amount. */
export interface Beside {
  /** The code of the param `currency`. */
  currency: string | null
  /** The value of the param `unit`. */
  unit?: unknown
}

/** Units that are hundredths of every currency that has them. */
const hundredths = /(^|_)(cents?|pence|penny|pennies|rappen|centimes?|centavos?|ore|groszy|kopeks?)$/
const minorUnit =
  /^(cents?|pence|penny|pennies|minor|minor_units?|subunits?|rappen|centimes?|centavos?|ore|groszy|kopeks?)$/

/** Returns the word that says that a value counts the smallest unit of a currency, or null. "per cent" is none. */
function minorWord(name: string, { currency, unit }: Beside): string | null {
  const words = snakeCase(name)
  const unitWord = typeof unit === 'string' ? snakeCase(unit) : ''
  if (moneyNameOf(name) === 'amount' && minorUnit.test(unitWord)) return unitWord
  const isMoney = moneyNameOf(name) === 'amount' || currency !== null || /(^|_)(cents|pence)$/.test(words)
  return isMoney && countsMinorUnits(name) && !/(^|_)per_cents?$/.test(words) ? words : null
}

/**
 * Returns the amount of a value that counts the smallest unit of a currency: `{amount_cents: 4999}`. Null: its name and what stands beside it say
 * nothing of such a unit. `unclear`: the value can be read in two ways, such as 49.99 cents and cents of yen.
 */
export function minorMoney(name: string, value: unknown, beside: Beside): Money | 'unclear' | null {
  const word = minorWord(name, beside)
  if (word === null || (typeof value !== 'number' && typeof value !== 'string')) return null
  const { currency } = beside
  if (!/^-?\d{1,15}$/.test(String(value))) return 'unclear'
  const isHundredths = hundredths.test(word)
  const places = currency === null ? (isHundredths ? 2 : null) : placesOf(currency)
  if (places === null || (isHundredths && places !== 2)) return 'unclear'
  if (/pence|penn/.test(word) && currency !== null && currency !== 'GBP') return 'unclear'
  return { amount: Number(value) / 10 ** places, currency }
}

/** Returns how many decimals a currency has: 2 for what ISO 4217 does not have. */
const placesOf = (currency: string | null): number => (currency === null ? 2 : decimalsOf(currency))

/** Returns all digits of a number that is not negative, without an exponent: 1e-7 is 0.0000001. */
function plainDigits(number: number): string {
  const [digits = '', exponent] = String(number).split('e')
  if (exponent === undefined) return digits
  const all = digits.replace('.', '')
  const point = 1 + Number(exponent)
  if (point <= 0) return `0.${'0'.repeat(-point)}${all}`
  return all.padEnd(point, '0')
}

/** Returns the amount with its currency: "€4,800.00", "CHF 12.50", "JPY 900". Without a currency: "4,800.00 (no currency named)". */
export function moneyText(money: Money): string {
  return money.currency === null ? `${moneyDigits(money)} (no currency named)` : moneyDigits(money)
}

/** Returns the amount as `moneyText`, without a word about a missing currency. */
export function moneyDigits({ amount, currency }: Money): string {
  const sign = amount < 0 ? '−' : ''
  // Yen and yuan share the sign: both write whole amounts without decimals.
  const isWholeYen = currency === '¥' && Number.isInteger(amount)
  const places = isWholeYen ? 0 : placesOf(currency)
  // More decimals than the currency has are shown, not rounded away.
  const [whole = '0', decimals = ''] = plainDigits(Math.abs(amount)).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  const rest = decimals.padEnd(places, '0')
  const number = rest === '' ? grouped : `${grouped}.${rest}`
  if (currency === null) return `${sign}${number}`
  const symbol = shownSigns[currency]
  return symbol === undefined ? `${currency} ${sign}${number}` : `${sign}${symbol}${number}`
}

/**
 * Returns the amount without its sign. Amounts of all currencies count alike, because the service knows no exchange rates (docs/risk.md). One
 * bitcoin or ether counts as a thousand.
 */
export function size({ amount, currency }: Money): number {
  return Math.abs(amount) * (currency !== null && otherCodes.has(currency) ? 1000 : 1)
}
