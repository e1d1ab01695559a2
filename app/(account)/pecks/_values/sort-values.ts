import type { DisplayValue } from '../_peck/reads'

/** What decides most stands first, so that an asker cannot bury it below other params. */
const order: DisplayValue['type'][] = ['money', 'email', 'url', 'date', 'diff', 'value', 'text', 'secret']

/** Returns the values in the order of the page, those with a warning with the addresses. Values of one rank keep the order of the request. */
export function sortValues(values: DisplayValue[]): DisplayValue[] {
  return [...values].sort((left, right) => rankOf(left) - rankOf(right))
}

function rankOf({ type, warning }: DisplayValue): number {
  const rank = order.indexOf(type)
  return warning === undefined ? rank : Math.min(rank, order.indexOf('email'))
}
