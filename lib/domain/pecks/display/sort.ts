/**
 * The order of the values on the wire, which all pages and clients show. It is no part of what a passkey signs: there, values have the order
 * of the params.
 */

import { displayTypes } from '@/lib/kernel/param-types'
import { currencyCode } from './currencies'
import type { Display } from './display'
import type { DisplayValue } from './value'

interface SortedValue extends DisplayValue {
  decides?: true
}

interface SortedDisplay extends Display {
  values: SortedValue[]
}

/**
 * Returns the values sorted, and marks the first that is no secret: it decides most. A warning comes before any type, so that an asker
 * cannot bury it below other params. Values of one type keep the order of the params.
 */
export function sortValues(values: DisplayValue[]): SortedValue[] {
  const sorted = values
    .map((value) => ({ value, rank: rankOf(value, values) }))
    .sort((left, right) => left.rank - right.rank)
    .map(({ value }) => value)
  const deciding = sorted.find(({ type }) => type !== 'secret')
  return sorted.map((value) => (value === deciding ? { ...value, decides: true } : value))
}

function rankOf(value: DisplayValue, all: DisplayValue[]): number {
  if (isCurrencyOfAmount(value, all)) return displayTypes.length
  const rank = displayTypes.indexOf(value.type)
  return value.warning === undefined ? rank : rank - displayTypes.length
}

/** Whether a value is only the code of a currency beside an amount, which has it in its text. */
function isCurrencyOfAmount({ name, text, warning }: DisplayValue, all: DisplayValue[]): boolean {
  if (name !== 'currency' || warning !== undefined || currencyCode(text) === null) return false
  return all.some(({ type }) => type === 'money')
}

/** Returns a display with sorted values. */
export function sortDisplay(display: Display): SortedDisplay {
  return { ...display, values: sortValues(display.values) }
}

/** Returns the value that decides most, for lists. Null without params, and never a secret. */
export function decidingValue({ values }: Display): SortedValue | null {
  return sortValues(values).find(({ decides }) => decides === true) ?? null
}
