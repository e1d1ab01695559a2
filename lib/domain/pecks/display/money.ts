/** Amounts of money in params, as people write them in JSON: `{amount, currency}`, "€4,800.00", "4800 EUR", 4800. */

export interface Money {
  amount: number
  /** ISO 4217, or `$`, which several currencies use. Null when the value names no currency. */
  currency: string | null
}

/** Symbols that stand for one currency only. */
const symbols: Record<string, string> = { '€': 'EUR', '£': 'GBP', '₹': 'INR', US$: 'USD', $: '$' }
const shownSymbols: Record<string, string> = { EUR: '€', GBP: '£', INR: '₹', USD: 'US$', $: '$' }
/** ISO 4217: currencies without a minor unit. */
const withoutMinorUnit = new Set('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' '))

const amountText = /^-?(?:\d{1,3}(?:,\d{3})+|\d{1,15})(?:\.\d{1,4})?$/
const withCurrency =
  /^(?:(US\$|[€£₹$])\s?|([A-Z]{3})\s)?(-?[\d,]+(?:\.\d{1,4})?)(?:\s?([€£₹$])|\s([A-Z]{3}))?$/

function amountOf(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  return typeof value === 'string' && amountText.test(value) ? Number(value.replaceAll(',', '')) : null
}

/** Returns the code of a currency, or null for anything else. */
export function currencyCode(value: unknown): string | null {
  return typeof value === 'string' && /^[A-Za-z]{3}$/.test(value) ? value.toUpperCase() : null
}

/**
 * Returns the amount when the value says that it is money, else null. A plain number only counts with `isMoney`. `currency`: the code that
 * stands beside the value, as in `{"amount": 40, "currency": "EUR"}`.
 */
export function moneyIn(value: unknown, isMoney: boolean, currency: string | null = null): Money | null {
  if (typeof value === 'object' && value !== null) {
    const { amount, currency: named, ...rest } = value as Record<string, unknown>
    const number = amountOf(amount)
    const isWhole = Object.keys(rest).length === 0
    const code = currencyCode(named)
    return number === null || code === null || !isWhole ? null : { amount: number, currency: code }
  }
  if (typeof value === 'string') {
    const [, before, codeBefore, digits = '', after, codeAfter] = withCurrency.exec(value.trim()) ?? []
    const number = amountOf(digits)
    const named = [before, after].flatMap((symbol) => (symbol === undefined ? [] : [symbols[symbol] ?? '']))
    const codes = [...named, codeBefore, codeAfter].filter((code) => code !== undefined)
    if (number !== null && codes.length === 1) return { amount: number, currency: codes[0] ?? null }
  }
  const number = isMoney ? amountOf(value) : null
  return number === null ? null : { amount: number, currency }
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
  const symbol = shownSymbols[currency]
  return symbol === undefined ? `${currency} ${sign}${number}` : `${sign}${symbol}${number}`
}

/** Returns the amount in the size of one euro or dollar, roughly: 100 units of a currency without minor units count as one. */
export function comparableAmount({ amount, currency }: Money): number {
  const size = Math.abs(amount)
  return currency !== null && withoutMinorUnit.has(currency) ? size / 100 : size
}
