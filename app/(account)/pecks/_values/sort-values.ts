import type { DisplayValue } from '../_peck/reads'

/** What decides most stands first, so that an asker cannot bury it below other params. */
const order: DisplayValue['type'][] = ['money', 'email', 'url', 'date', 'diff', 'value', 'text', 'secret']

/** Returns the values in the order of the page. Values of one type keep the order of the request. */
export function sortValues(values: DisplayValue[]): DisplayValue[] {
  return [...values].sort((left, right) => order.indexOf(left.type) - order.indexOf(right.type))
}
