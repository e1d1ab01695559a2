/** The filters of the inbox in the address of the page. */

import { m } from '@/lib/kernel/messages'
import { day, hour } from '@/lib/kernel/runtime/clock'
import { riskWord } from '../_decision/risk-mark'
import type { InboxAnswer, RiskLevel } from './rows'

const names = ['asker', 'action', 'risk', 'age', 'q', 'list', 'sort'] as const
type FilterName = (typeof names)[number]
export type Filters = Record<FilterName, string>
type SearchParams = Record<string, string | string[] | undefined>

/** Returns the filters in a query, with an empty text for each that is not there. */
export function filtersIn(query: SearchParams): Filters {
  const entries = names.map((name) => [name, String(query[name] ?? '').trim()] as const)
  return Object.fromEntries(entries) as Filters
}

/** The second list is a list of its own, and the order leaves no request out. Neither is a filter. */
const isFilter = (name: FilterName) => name !== 'list' && name !== 'sort'
export const hasFilters = (filters: Filters) => names.some((name) => isFilter(name) && filters[name] !== '')

/** Returns how many filters of the fold are set. The search stands beside it. */
export const countFilters = (filters: Filters) =>
  names.filter((name) => isFilter(name) && name !== 'q' && filters[name] !== '').length

/** Returns the same list in the same order without filters. */
export const withoutFilters = (filters: Filters): Filters => ({
  ...filtersIn({}),
  list: filters.list,
  sort: filters.sort,
})

/** What else the address names: the selected request, and what of the list is shown. */
interface Place {
  peck?: string | null
  /** The server renders the whole list. */
  isAllShown?: boolean
}

/** Returns the address of the inbox with these filters. A narrow screen shows the request that it names, or else the list. */
export function inboxPath(filters: Filters, { peck = null, isAllShown = false }: Place = {}): string {
  const query = new URLSearchParams(
    names.flatMap((name) => (filters[name] === '' ? [] : [[name, filters[name]]])),
  )
  if (isAllShown) query.set('rows', 'all')
  if (peck !== null) query.set('peck', peck)
  const text = query.toString()
  return text === '' ? '/pecks' : `/pecks?${text}`
}

const longest: Record<string, number> = { hour: hour * 1000, day: day * 1000 }

/** Whether a request of this age, in milliseconds, does not match the filters only because time has passed. */
export const isTooOld = ({ age }: Filters, milliseconds: number) =>
  milliseconds > (longest[age] ?? Number.POSITIVE_INFINITY)

export interface FilterChoice {
  name: Exclude<FilterName, 'q' | 'list'>
  label: string
  /** Means that the filter is not used. */
  anything: string
  options: { value: string; label: string }[]
}

/** A search finds other values faster than a longer list of choices. */
const choicesMax = 50

/** Returns the most frequent values, and the chosen one. */
const frequent = <T extends { value: string }>(facets: T[], chosen: string): T[] =>
  facets.filter(({ value }, index) => index < choicesMax || value === chosen)

/**
 * Returns the choices of each filter, with the number of waiting requests, and those of the order. `labelOf`: the words for an action, which only
 * the server has.
 */
export function filterChoices(
  { askers, actions, risks }: InboxAnswer,
  chosen: Filters,
  labelOf: (action: string) => string,
): FilterChoice[] {
  const counted = (label: string, count: number) => `${label} (${count})`
  return [
    {
      name: 'asker',
      label: m.inbox_asked_by(),
      anything: m.inbox_anybody(),
      options: frequent(askers, chosen.asker).map(({ value, label, count }) => ({
        value,
        label: counted(label, count),
      })),
    },
    {
      name: 'action',
      label: m.inbox_action(),
      anything: m.inbox_any_action(),
      options: frequent(actions, chosen.action).map(({ value, count }) => ({
        value,
        label: counted(labelOf(value), count),
      })),
    },
    {
      name: 'risk',
      label: m.inbox_risk(),
      anything: m.inbox_any_risk(),
      options: risks.map(({ value, count }) => ({
        value,
        label: counted(riskWord(value as RiskLevel), count),
      })),
    },
    {
      name: 'age',
      label: m.inbox_sent(),
      anything: m.inbox_any_time(),
      options: [
        { value: 'hour', label: m.inbox_last_hour() },
        { value: 'day', label: m.inbox_last_day() },
        { value: 'older', label: m.inbox_older_than_a_day() },
      ],
    },
    {
      name: 'sort',
      label: m.inbox_sort(),
      anything: m.inbox_newest_first(),
      options: [
        { value: 'risk', label: m.inbox_highest_risk_first() },
        { value: 'expiry', label: m.inbox_least_time_left_first() },
      ],
    },
  ]
}
