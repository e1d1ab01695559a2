/** Words for the public counts. */
import type { CountName } from '@/lib/infrastructure/events/kinds/kind'

export const counts: Record<CountName, { title: string; short: string; note: string }> = {
  registered_ducklings: { title: 'Ducklings', short: 'Ducklings', note: 'Registered now.' },
  certified: { title: 'Certificates', short: 'Certificates', note: 'Valid right now.' },
  bonded_agents: { title: 'Bonded agents', short: 'Agents', note: 'Agents that can send requests.' },
  completed_pecks: {
    title: 'Requests answered',
    short: 'Requests',
    note: 'Approved or rejected by a person.',
  },
  domains: {
    title: 'Domains',
    short: 'Domains',
    note: 'Other domains that a sign-in token was ever issued for.',
  },
}

const numberFormat = new Intl.NumberFormat('en-GB')
const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const longDayFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

export const number = (value: number) => numberFormat.format(value)

/** Returns a day (YYYY-MM-DD) in short form: "21 Nov". */
export function dayWords(day: string | undefined): string {
  return day === undefined ? '' : dayFormat.format(new Date(day))
}

/** Returns how a count has changed since a day. */
export function changeWords(values: number[], since: string | undefined): string {
  const change = (values.at(-1) ?? 0) - (values[0] ?? 0)
  if (change === 0) return `the same as on ${dayWords(since)}`
  return `${number(Math.abs(change))} ${change > 0 ? 'more' : 'fewer'} than on ${dayWords(since)}`
}

/** Describes a chart for screen readers. */
export function describe(values: number[], days: string[]): string {
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined) return ''
  const day = (date: string) => longDayFormat.format(new Date(date))
  const now = `${number(values.at(-1) ?? 0)} on ${day(last)}`
  if (values.length === 1) return `${now}. There are no earlier days yet.`
  return `From ${number(values[0] ?? 0)} on ${day(first)} to ${now}, between ${number(Math.min(...values))} and ${number(Math.max(...values))}. The values are in the table below.`
}
