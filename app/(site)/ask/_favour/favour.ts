/** What one person asks another: a sentence, and at most four facts. */
export interface Favour {
  favour: string
  /** A day: `2026-12-24`. */
  date?: string
  /** With a point before its decimals. */
  amount?: string
  /** ISO 4217. Only with an amount. */
  currency?: string
  place?: string
  /** The name of a file. The file itself is not sent. */
  file?: string
}

/** The longest sentence, and the longest place or name of a file. */
export const favourMax = 280
export const factMax = 120

export const currencies = [
  'EUR',
  'USD',
  'GBP',
  'CHF',
  'AUD',
  'BRL',
  'CAD',
  'CNY',
  'CZK',
  'DKK',
  'INR',
  'JPY',
  'MXN',
  'NOK',
  'PLN',
  'SEK',
  'TRY',
  'UAH',
  'ZAR',
]
