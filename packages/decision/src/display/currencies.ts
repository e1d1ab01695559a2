/** Currencies as people write them. Without `Intl`, so that every version of Node reads the same amounts. */
import { currencyCodes as codes } from '@beak/proofs/rules/money'

/** Signs and the currency that they name. `$` and `¥` stand for several currencies, so they stay as they are. */
const signs: Record<string, string> = {
  US$: 'USD',
  AU$: 'AUD',
  CA$: 'CAD',
  HK$: 'HKD',
  NZ$: 'NZD',
  A$: 'AUD',
  C$: 'CAD',
  R$: 'BRL',
  S$: 'SGD',
  $: '$',
  '€': 'EUR',
  '£': 'GBP',
  '¥': '¥',
  '₹': 'INR',
  '₩': 'KRW',
  '₽': 'RUB',
  '₺': 'TRY',
  '₪': 'ILS',
  '₫': 'VND',
  '₴': 'UAH',
}

/** Words for currencies in texts, in small letters, and the currency that they name. */
const currencyWords: Record<string, string> = {
  euro: 'EUR',
  euros: 'EUR',
  dollar: '$',
  dollars: '$',
  'us dollars': 'USD',
  bucks: '$',
  pounds: 'GBP',
  quid: 'GBP',
  franken: 'CHF',
  francs: 'CHF',
  yen: 'JPY',
  yuan: 'CNY',
  rupees: 'INR',
  bitcoin: 'BTC',
  bitcoins: 'BTC',
  btc: 'BTC',
  eth: 'ETH',
  usdc: 'USD',
  usdt: 'USD',
}
/** Currencies that no government issues. ISO 4217 does not have them. */
export const otherCodes = new Set(['BTC', 'ETH'])

/** The codes that a sign of several currencies can stand for. */
const signCodes: Record<string, string> = { $: 'USD AUD CAD HKD MXN NZD SGD', '¥': 'JPY CNY' }

/** Codes that are English words. They only count under a name that says that the value is money. */
const wordCodes = new Set(['ALL', 'TOP'])
/** Codes that are no words of a language, so they also count in small letters. */
const plainCodes = new Set('AUD CHF CNY EUR GBP JPY USD'.split(' '))

const signPattern = `${Object.keys(signs)
  .map((sign) => sign.replace('$', '\\$'))
  .join('|')}|\\p{Sc}`
const codesInText = [
  ...codes,
  ...[...plainCodes].flatMap((code) => [code.toLowerCase(), code.charAt(0) + code.slice(1).toLowerCase()]),
]

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
const wordPattern = Object.keys(currencyWords)
  .flatMap((word) => [word, capital(word), word.toUpperCase()])
  .sort((left, right) => right.length - left.length)
  .join('|')

/** Pattern of a sign, a word or three letters that may be a code. */
export const currencyMark = `(?:${signPattern}|(?<!\\p{L})(?:${wordPattern}|[A-Za-z]{3})(?!\\p{L}))`

/** Pattern of a sign or code anywhere in a text. */
export const currencyInText = `(?:${signPattern}|(?<!\\p{L})(?:${codesInText
  .filter((code) => !wordCodes.has(code))
  .join('|')}|${wordPattern})(?!\\p{L}))`

/** Whether a text that fits `currencyMark` names a currency. `isMoney`: a code in small letters counts, too. */
export function isCurrencyMark(mark: string, isMoney: boolean): boolean {
  if (Object.hasOwn(currencyWords, mark.toLowerCase())) return true
  const code = mark.toUpperCase()
  if (!/^[A-Z]{3}$/.test(code)) return true
  if (isMoney || !codes.has(code)) return codes.has(code)
  return !wordCodes.has(code) && (mark === code || plainCodes.has(code))
}

/** Returns the currency that the signs and codes beside one number name, or null when they name none or different ones. */
export function currencyOf(marks: string[]): string | null {
  const named = [
    ...new Set(marks.map((mark) => signs[mark] ?? currencyWords[mark.toLowerCase()] ?? mark.toUpperCase())),
  ]
  const [first = '', second] = named.sort((left, right) => right.length - left.length)
  if (!codes.has(first) && !otherCodes.has(first) && !Object.hasOwn(signCodes, first)) return null
  if (named.length === 1) return first
  const isSame = named.length === 2 && second !== undefined && signCodes[second]?.split(' ').includes(first)
  return isSame ? first : null
}

/** Returns the code of a currency, or null for anything else. */
export function currencyCode(value: unknown): string | null {
  return typeof value === 'string' && /^[A-Za-z]{3}$/.test(value) ? value.toUpperCase() : null
}

/** Returns the currency that a whole text names by its code, sign or word, or null. Only the codes of ISO 4217 count. */
export function currencyNamed(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const text = value.trim()
  const code = signs[text] ?? currencyWords[text.toLowerCase()] ?? text.toUpperCase()
  return (codes.has(code) && !wordCodes.has(code)) || otherCodes.has(code) || code in signCodes ? code : null
}
