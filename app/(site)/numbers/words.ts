/** Words for the public counts. */

import type { CountName } from '@/lib/infrastructure/events/kinds/kind'
import { m } from '@/lib/kernel/messages'
import { readersLocale } from '@/lib/kernel/text/time-words'

export const counts: Record<CountName, { title: string; short: string; note: string }> = {
  registered_ducklings: {
    get title() {
      return m.numbers_ducklings()
    },
    get short() {
      return m.numbers_ducklings()
    },
    get note() {
      return m.numbers_registered_now()
    },
  },
  certified: {
    get title() {
      return m.numbers_certificates()
    },
    get short() {
      return m.numbers_certificates()
    },
    get note() {
      return m.numbers_valid_right_now()
    },
  },
  bonded_agents: {
    get title() {
      return m.numbers_bonded_agents()
    },
    get short() {
      return m.numbers_agents()
    },
    get note() {
      return m.numbers_agents_that_can_send_requests()
    },
  },
  completed_pecks: {
    get title() {
      return m.numbers_requests_answered()
    },
    get short() {
      return m.numbers_requests()
    },
    get note() {
      return m.numbers_answered_requests_note()
    },
  },
  domains: {
    get title() {
      return m.numbers_domains()
    },
    get short() {
      return m.numbers_domains()
    },
    get note() {
      return m.numbers_other_domains_that_sign_in_token()
    },
  },
}

export const number = (value: number) => value.toLocaleString(readersLocale())

const dayIn = (day: string, form: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(readersLocale(), { ...form, timeZone: 'UTC' }).format(new Date(day))

/** Returns a day (YYYY-MM-DD) in short form: "21 Nov". */
export function dayWords(day: string | undefined): string {
  return day === undefined ? '' : dayIn(day, { day: 'numeric', month: 'short' })
}

/** Returns how a count has changed since a day. */
export function changeWords(values: number[], since: string | undefined): string {
  const change = (values.at(-1) ?? 0) - (values[0] ?? 0)
  const day = dayWords(since)
  if (change === 0) return m.numbers_same_as_on({ day })
  const facts = { number: number(Math.abs(change)), day }
  return change > 0 ? m.numbers_more_than_on(facts) : m.numbers_fewer_than_on(facts)
}

/** Describes a chart for screen readers. */
export function describe(values: number[], days: string[]): string {
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined) return ''
  const day = (date: string) => dayIn(date, { dateStyle: 'long' })
  const now = m.numbers_number_on_last({ number: number(values.at(-1) ?? 0), last: day(last) })
  if (values.length === 1) return m.numbers_now_there_are_no_earlier_days({ now })
  return m.numbers_from_number_on_first_now_between({
    number: number(values[0] ?? 0),
    first: day(first),
    now,
    least: number(Math.min(...values)),
    most: number(Math.max(...values)),
  })
}
