/**
 * Amounts of money in params, as people write them in JSON: `{amount, currency}`, "€4,800.00", "4.800,00 EUR", "4800 eur", 4800. An amount
 * that two people can read differently, such as "4.800 €", is never converted.
 */
import { withoutMinorUnit } from '@beak/client/verify/rules/currency-codes'
import type { MoneyName } from '@/lib/kernel/text/money-names'
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
const numberForm = /^(\d{1,3}(?:([,.'’ \u00a0\u2009\u202f])\d{3})(?:\2\d{3})*|\d{1,15})(?:([.,])(\d{1,15}))?$/
/** A double stores this many digits exactly. */
const digitsMax = 15

/** Returns the number that a text writes, or null when it is no number or can be read in two ways: "4.800" is 4,800 or 4.8. */
function numberIn(text: string): number | null {
  const [, whole, group, point, decimals = ''] = numberForm.exec(text) ?? []
  if (whole === undefined) return null
  const isOneGroup = group !== undefined && whole.split(group).length === 2
  const isWhole = point === undefined && (group === '.' || group === ',')
  if (decimals.length === 3 || (isOneGroup && isWhole)) return null
  const digits = whole.replace(/\D/g, '')
  const isSplitTwice = point !== undefined && point === group
  if (isSplitTwice || digits.length + decimals.length > digitsMax) return null
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
  const number = numberIn(digits)
  if (number === null || (outer && inner) || !marks.every((mark) => isCurrencyMark(mark, isMoney)))
    return null
  const amount = outer || inner ? -number : number
  if (marks.length === 0) return isMoney ? { amount, currency: beside } : null
  const currency = currencyOf(marks)
  return currency === null ? null : { amount, currency }
}

/**
 * Returns the two amounts that a text can mean, "4.800 €" as €4,800.00 and €4.80, the larger first. Null for any other text. `beside`: the
 * code that stands beside the text.
 */
export function twoReadings(text: string, beside: string | null): [string, string] | null {
  const [, outer, before, inner, digits = '', ...after] = amountForm.exec(text.trim()) ?? []
  const [, whole, , decimals] = ambiguousForm.exec(digits) ?? []
  if (whole === undefined || decimals === undefined) return null
  const marks = [before, ...after].filter((mark) => mark !== undefined)
  if ((outer && inner) || !marks.every((mark) => isCurrencyMark(mark, true))) return null
  const currency = marks.length === 0 ? beside : currencyOf(marks)
  const sign = outer || inner ? -1 : 1
  const [larger, smaller] = [Number(`${whole}${decimals}`), Number(`${whole}.${decimals}`)].map((amount) =>
    moneyText({ amount: amount * sign, currency }).replace(' (no currency named)', ''),
  )
  return larger === undefined || smaller === undefined ? null : [larger, smaller]
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
    const { amount, currency: named, ...rest } = value as Record<string, unknown>
    const code = currencyCode(named)
    if (code === null || Object.keys(rest).length > 0) return null
    const money = typeof amount === 'object' ? null : moneyIn(amount, true, code)
    return money?.currency === code ? money : null
  }
  if (typeof value === 'string') return readAmount(value, isMoney, currency)
  const isAmount = isMoney && typeof value === 'number' && Number.isFinite(value)
  return isAmount ? { amount: value, currency } : null
}

/** Returns the amount with its currency: "€4,800.00", "CHF 12.50", "JPY 900". Without a currency: "4,800.00 (no currency named)". */
export function moneyText({ amount, currency }: Money): string {
  const sign = amount < 0 ? '−' : ''
  const places = currency !== null && withoutMinorUnit.has(currency) ? 0 : 2
  // More decimals than the currency has are shown, not rounded away.
  const exact = Math.abs(amount).toString()
  const [whole = '0', decimals = ''] = exact.includes('e')
    ? Math.abs(amount).toFixed(2).split('.')
    : exact.split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  const rest = decimals.padEnd(places, '0')
  const number = rest === '' ? grouped : `${grouped}.${rest}`
  if (currency === null) return `${sign}${number} (no currency named)`
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
