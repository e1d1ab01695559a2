/** Amounts of money that several members of an object give together: `{"value": 50000, "currency": "EUR"}`, `{"cents": 480000}`. */

import { currencyNamed } from '../display/currencies'
import { type Money, type MoneyFound, moneyIn } from '../display/money'
import { countsMinorUnits, moneyNameOf } from '../money-names'
import { snakeCase } from '../secret-values'

const currencyName =
  /(^|_)(currency|currency_code|ccy|cur|iso_code|waehrung|wahrung|devise|divisa|moneda|valuta|moeda)$/
const minorUnits = 100
/** Names whose numbers are no amount, also beside a currency. */
const otherName =
  /(^|_)(age|adults?|children|code|day|days|duration|guests?|hour|hours|id|index|items?|minutes?|month|months|nanos|nights?|no|number|page|people|percent|persons?|phone|rate|ref|reference|room|scale|seats?|tax_rate|timestamp|version|week|weeks|year|years|zip)$/

/** Returns a number or a text of digits as a number, or null. */
function numberOf(value: unknown, currency: string | null): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  const money = typeof value === 'string' ? moneyIn(value, true, currency) : null
  return money === null ? null : money.amount
}

/** How many pieces a price beside it is for. */
const quantityName = /^(count|pieces|qty|quantity|shares|units)$/

/** Names of an amount when a currency stands beside it. */
const amountName = /(^|_)(amount|gross|net|price|sum|total|units?|val|value)$/

type Amounts = MoneyFound & { currency: string | null }

/**
 * Returns the amounts that the members of an object give together, and the currency that stands beside its values. An amount beyond every number,
 * such as a price times its pieces, cannot be read.
 */
export function structuredAmounts(value: object): Amounts {
  const { amounts, isUnclear, currency } = givenAmounts(value)
  const finite = amounts.filter(({ amount }) => Number.isFinite(amount))
  return { amounts: finite, isUnclear: isUnclear || finite.length < amounts.length, currency }
}

function givenAmounts(value: object): Amounts {
  if (Array.isArray(value)) return { amounts: [], isUnclear: false, currency: null }
  const members = Object.entries(value).map(([key, inner]) => ({
    name: snakeCase(key),
    inner: inner as unknown,
  }))
  const currency = currencyNamed(members.find(({ name }) => currencyName.test(name))?.inner)
  const numbers = members.flatMap(({ name, inner }) => {
    const number = otherName.test(name) ? null : numberOf(inner, currency)
    return number === null ? [] : [{ name, number }]
  })
  const amounts = numbers.flatMap(({ name, number }): Money[] => {
    if (countsMinorUnits(name)) return [{ amount: number / minorUnits, currency }]
    const words = name.split('_').map(currencyNamed)
    const named = words.find((code) => code !== null)
    return named === undefined ? [] : [{ amount: number, currency: named }]
  })
  const pieces = numbers.find(({ name }) => quantityName.test(name))?.number ?? 1
  const priced = numbers.filter(({ name }) => moneyNameOf(name) === 'amount' && !countsMinorUnits(name))
  if (pieces > 1) amounts.push(...priced.map(({ number }) => ({ amount: number * pieces, currency })))
  if (currency === null) return { amounts, isUnclear: false, currency }
  const values = numbers.filter(({ name }) => !quantityName.test(name) || name === 'units')
  const named = values.filter(({ name }) => amountName.test(name))
  // Beside a currency any number may be the amount, when none has the name of one.
  const beside = (named.length > 0 ? named : values).filter(({ name }) => !countsMinorUnits(name))
  return {
    amounts: [...amounts, ...beside.map(({ number }) => ({ amount: number, currency }))],
    isUnclear: members.some(({ name, inner }) => amountName.test(name) && isUnclear(inner, currency)),
    currency,
  }
}

const isUnclear = (value: unknown, currency: string | null) =>
  typeof value === 'string' && /\p{Nd}/u.test(value) && numberOf(value, currency) === null
