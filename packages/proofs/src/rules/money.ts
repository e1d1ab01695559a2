/** The codes of currencies (ISO 4217), and how many decimals each has. Without `Intl`, so that every version of Node reads the same amounts. */

export const currencyCodes: ReadonlySet<string> = new Set(
  'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW ZWG'.split(
    ' ',
  ),
)

/** Currencies without a minor unit. */
const withoutMinorUnit: ReadonlySet<string> = new Set(
  'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' '),
)
/** Currencies whose minor unit is a thousandth. */
const withThousandths: ReadonlySet<string> = new Set('BHD IQD JOD KWD LYD OMR TND'.split(' '))

/** Returns how many decimals an amount of a currency has. */
export function decimalsOf(code: string): 0 | 2 | 3 {
  if (withoutMinorUnit.has(code)) return 0
  return withThousandths.has(code) ? 3 : 2
}

/**
 * Exact amounts of money, for rules. An amount is a whole number of the minor unit of its currency (cents of EUR, yen of JPY). The forms are
 * few: whatever two people could read differently is not an amount, and a rule then leaves the answer to the person.
 */

export interface ExactMoney {
  /** A whole number of the minor unit, never negative. */
  minor: number
  /** ISO 4217. */
  currency: string
}

/** Signs that name one currency. `$` and `¥` name several. */
const signs: ReadonlyMap<string, string> = new Map([
  ['€', 'EUR'],
  ['£', 'GBP'],
  ['₹', 'INR'],
  ['US$', 'USD'],
])

/** Digits, plain or in groups of three, and perhaps decimals after a point. ASCII only. */
const amountForm = /^(\d{1,12}|\d{1,3}(?:,\d{3}){1,3})(?:\.(\d{1,2}))?$/
const mark = '(US\\$|[€£₹]|[A-Z]{3})'
const markBefore = new RegExp(`^${mark} ?([\\d.,]{1,20})$`)
const markAfter = new RegExp(`^([\\d.,]{1,20}) ?${mark}$`)

/** Returns the code that a sign or code names, or null. */
function codeOf(text: unknown): string | null {
  if (typeof text !== 'string') return null
  const code = signs.get(text) ?? text
  return currencyCodes.has(code) ? code : null
}

/** Returns an amount in digits as a number of the minor unit, or null. "4,800" is no amount: it can mean 4.80 as well. */
function minorOf(text: string, currency: string): number | null {
  const [, whole, decimals = ''] = amountForm.exec(text) ?? []
  if (whole === undefined) return null
  const groups = whole.split(',')
  if (groups.length === 2 && decimals === '') return null
  const places = decimalsOf(currency)
  if (decimals.length > places) return null
  const minor = Number(groups.join('') + decimals.padEnd(places, '0'))
  return Number.isSafeInteger(minor) ? minor : null
}

/** Returns the digits of an amount that JSON has as a number or a text, or null. */
function digitsOf(amount: unknown): string | null {
  if (typeof amount === 'string') return amount
  return typeof amount === 'number' && Number.isFinite(amount) && amount >= 0 ? String(amount) : null
}

function moneyOf(digits: string | null, currency: string | null): ExactMoney | null {
  const minor = digits === null || currency === null ? null : minorOf(digits, currency)
  return minor === null || currency === null ? null : { minor, currency }
}

/** Returns the amount that a text writes with its currency ("€38.00", "38 EUR", "US$1,234.50"), or null for any other text. */
export function readMoney(text: string): ExactMoney | null {
  const [, before, amountAfter] = markBefore.exec(text) ?? []
  if (before !== undefined) return moneyOf(amountAfter ?? null, codeOf(before))
  const [, amountBefore, after] = markAfter.exec(text) ?? []
  return moneyOf(amountBefore ?? null, codeOf(after))
}

/** Tells whether a text names another currency than the param `currency` beside it. Then nobody can say which of them counts. */
export function contradicts(value: unknown, beside: unknown): boolean {
  const [money, code] = [typeof value === 'string' ? readMoney(value) : null, codeOf(beside)]
  return money !== null && code !== null && money.currency !== code
}

/**
 * Returns the amount that a param is, or null. A param is an amount as a text with its currency, as `{amount, currency}`, or as an amount
 * whose currency stands beside it: `beside` is the param `currency`. A text that names another currency than the one beside it is no amount.
 */
export function moneyOfParam(value: unknown, beside: unknown): ExactMoney | null {
  const code = codeOf(beside)
  if (contradicts(value, beside)) return null
  if (typeof value === 'string') return readMoney(value) ?? moneyOf(value, code)
  if (typeof value === 'number') return moneyOf(digitsOf(value), code)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const { amount, currency, ...rest } = value as Record<string, unknown>
  return Object.keys(rest).length === 0 ? moneyOf(digitsOf(amount), codeOf(currency)) : null
}

/** The signs of currencies, and the small dollar sign. A fixed list, so that every verifier has the same. */
const currencySign =
  /[$\u00a2-\u00a5\u058f\u060b\u07fe\u07ff\u09f2\u09f3\u09fb\u0af1\u0bf9\u0e3f\u17db\u20a0-\u20cf\ua838\ufdfc\ufe69]/
/** A longer text is a sentence, not an amount. */
const amountMax = 40

/** Tells whether a text can be read as an amount by somebody, in whatever form: "$5", "4.800 eur", "−€5". `isBeside`: a currency stands beside it. */
export function looksLikeMoney(value: unknown, isBeside: boolean): boolean {
  if (typeof value !== 'string' || value.length > amountMax) return false
  const text = value.normalize('NFKC')
  if (!/\p{Nd}/u.test(text)) return false
  const letters = text.replace(/[^A-Za-z]/g, '').toUpperCase()
  return currencySign.test(text) || currencyCodes.has(letters) || (isBeside && letters === '')
}

/**
 * Returns an amount as people read it: "€1,234.50", "CHF 12.00", "JPY 1234". `readMoney` reads it again, unless it has three decimals. One
 * group of three digits is no amount without decimals, so amounts without them have no groups.
 */
export function exactMoneyText({ minor, currency }: ExactMoney): string {
  const places = decimalsOf(currency)
  const digits = String(minor).padStart(places + 1, '0')
  const whole = digits.slice(0, digits.length - places)
  const decimals = digits.slice(digits.length - places).replace(/^(\d\d)0$/, '$1')
  const number = places === 0 ? whole : `${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${decimals}`
  const [sign] = [...signs].find(([, code]) => code === currency) ?? []
  return sign === undefined ? `${currency} ${number}` : `${sign}${number}`
}
