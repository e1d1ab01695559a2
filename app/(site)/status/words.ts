/** What the status of the service means for its users. */

import type { ResponseOf } from '@/app/beak/_api/lines'
import { m } from '@/lib/kernel/messages'
import { longDay, readersLocale } from '@/lib/kernel/text/time-words'

export type Status = ResponseOf<'GET /beak/system/status'>
export type Condition = Status['status']

export type History = ResponseOf<'GET /beak/system/history'>
export type ComponentHistory = History['components'][number]
export type Day = ComponentHistory['days'][number]
export type Incident = History['incidents'][number]

interface Part {
  title: string
  /** What the part does. */
  role: string
  /** What users notice when the part does not work. */
  trouble: string
}

const overall: Record<Condition, { title: string; text: string }> = {
  operational: {
    get title() {
      return m.status_everything_works()
    },
    get text() {
      return m.status_all_working_body()
    },
  },
  degraded: {
    get title() {
      return m.status_some_parts_have_problems()
    },
    get text() {
      return m.status_degraded_body()
    },
  },
  outage: {
    get title() {
      return m.status_beak_is_down()
    },
    get text() {
      return m.status_outage_body()
    },
  },
}

/** Pages can be read while the disk of the database is full. */
const isDiskFull = (components: Status['components']) =>
  components.some(({ reason }) => reason === 'disk_full')

/** Returns the heading of the page, and what the state means. */
export function overallWords(
  condition: Condition,
  components: Status['components'],
): { title: string; text: string } {
  return isDiskFull(components)
    ? { title: m.status_nothing_can_be_changed(), text: m.status_disk_full() }
    : overall[condition]
}

/** Returns what users notice of a part that does not work. */
export const troubleWords = ({ name, reason }: Status['components'][number]): string =>
  reason === 'disk_full' ? m.status_disk_full() : parts[name].trouble

export const parts: Record<'database' | 'outbox' | 'redis', Part> = {
  database: {
    get title() {
      return m.status_database()
    },
    get role() {
      return m.status_database_role()
    },
    get trouble() {
      return m.status_nothing_can_be_read_or_changed()
    },
  },
  outbox: {
    get title() {
      return m.status_email_and_webhooks()
    },
    get role() {
      return m.status_outbox_role()
    },
    get trouble() {
      return m.status_codes_notices_and_events_arrive_late()
    },
  },
  redis: {
    get title() {
      return m.status_rate_limits()
    },
    get role() {
      return m.status_redis_role()
    },
    get trouble() {
      return m.status_redis_trouble()
    },
  },
}

/** What a day looks like: the height of its bar, as a part of 1, says the same as its colour. */
export const bars: Record<
  Day['condition'],
  { label: string; counted: string; look: string; height: number }
> = {
  operational: {
    get label() {
      return m.status_works()
    },
    get counted() {
      return m.status_without_problems()
    },
    look: 'fill-good',
    height: 1,
  },
  degraded: {
    get label() {
      return m.status_delayed()
    },
    get counted() {
      return m.status_with_delays()
    },
    look: 'fill-warn',
    height: 2 / 3,
  },
  outage: {
    get label() {
      return m.status_down()
    },
    get counted() {
      return m.status_with_an_outage()
    },
    look: 'fill-bad',
    height: 1 / 3,
  },
  no_data: {
    get label() {
      return m.status_no_data()
    },
    get counted() {
      return m.status_without_data()
    },
    look: 'fill-edge',
    height: 0.06,
  },
}

export const words: Record<Condition, { label: string; tone: 'good' | 'warn' | 'bad' }> = {
  operational: {
    get label() {
      return m.status_works()
    },
    tone: 'good',
  },
  degraded: {
    get label() {
      return m.status_delayed()
    },
    tone: 'warn',
  },
  outage: {
    get label() {
      return m.status_down()
    },
    tone: 'bad',
  },
}

/** Returns the incidents that the operator has reported and that are not over. */
export const reported = (history: History | null): Incident[] =>
  history?.incidents.filter(({ source, ended_at }) => source === 'operator' && ended_at === null) ?? []

/** Returns a measured condition, or a worse one that the operator has reported. `component`: of a part, or null for all. */
export function shownCondition(
  measured: Condition,
  incidents: Incident[],
  component: ComponentHistory['name'] | null,
): Condition {
  const concerns = incidents.filter((one) => component === null || [null, component].includes(one.component))
  if (concerns.length === 0 || measured === 'outage') return measured
  // A part that the operator reports as down is no reason to say that all of Beak is down.
  return component !== null && concerns.some(({ condition }) => condition === 'outage')
    ? 'outage'
    : 'degraded'
}

/** Returns a latency in words, rounded for reading. */
export function latencyWords(milliseconds: number): string {
  if (milliseconds < 1) return 'under 1 ms'
  return milliseconds < 10
    ? m.status_milliseconds_ms({ milliseconds: milliseconds.toFixed(1) })
    : m.status_milliseconds_ms({ milliseconds: Math.round(milliseconds) })
}

/** Returns a length of time in words: `under a minute`, `12 minutes`, `3 hours`, `2 days`. */
export function lengthWords(seconds: number): string {
  if (seconds < 60) return 'under a minute'
  for (const [unit, size] of [
    ['day', 86_400],
    ['hour', 3_600],
    ['minute', 60],
  ] as const) {
    const count = Math.floor(seconds / size)
    // Not "1 day" for almost two.
    if (count >= (unit === 'minute' ? 1 : 2)) return `${count} ${unit}${count === 1 ? '' : 's'}`
  }
  return 'under a minute'
}

/** Returns a part of 1 in percent. Rounds down, so that only a time without any outage is 100%. */
export function percent(part: number): string {
  return `${(Math.floor(part * 10_000) / 100).toLocaleString(readersLocale())}%`
}

const daySeconds = 86_400

/** Returns the uptime in words, with the day from which it was measured when that is later than the first bar. Less than a day says nothing. */
export function uptimeWords({ days, uptime }: ComponentHistory, since: string | null): string {
  const measured = days.reduce((sum, day) => sum + day.measured_seconds, 0)
  if (uptime === null || measured === 0) return m.status_no_data_yet()
  if (measured < daySeconds) return m.status_measured_for_less_than_a_day()
  const first = days[0]?.day
  return since !== null && first !== undefined && since > first
    ? m.status_uptime_since({ uptime: percent(uptime), since: longDay(since) })
    : m.status_uptime_uptime({ uptime: percent(uptime) })
}

/** Returns what happened to a component on a day: `Works`, `Down for 12 minutes`. */
export function dayWords({ condition, outage_seconds, degraded_seconds }: Day): string {
  const { label } = bars[condition]
  const seconds = condition === 'outage' ? outage_seconds : condition === 'degraded' ? degraded_seconds : null
  return seconds === null ? label : m.status_label_for_seconds({ label, seconds: lengthWords(seconds) })
}

/** Days that follow each other and were the same for every component. */
export interface DayRun {
  first: string
  last: string
  /** The place of the first day among all, the oldest being 0. */
  start: number
  count: number
  /** What happened to each component, in words. */
  words: string[]
}

/** Returns the days of the components, the newest first, with equal days that follow each other as one. */
export function dayRuns(components: ComponentHistory[]): DayRun[] {
  const runs: DayRun[] = []
  for (const [index, { day }] of (components[0]?.days ?? []).entries()) {
    const words = components.map(({ days }) => (days[index] === undefined ? '' : dayWords(days[index])))
    const run = runs.at(-1)
    if (run?.words.every((text, at) => text === words[at])) {
      run.last = day
      run.count++
    } else runs.push({ first: day, last: day, start: index, count: 1, words })
  }
  return runs.reverse()
}

/** Returns the days of a run in words. `write` writes a day. */
export const daysOf = ({ first, last }: DayRun, write = (day: string) => day): string =>
  first === last ? write(first) : m.status_days_from_to({ first: write(first), last: write(last) })

/** Returns the bars of a component as a sentence. */
export function barsWords({ days }: ComponentHistory): string {
  const count = (condition: Day['condition']) => days.filter((day) => day.condition === condition).length
  const listed = (Object.keys(bars) as Day['condition'][])
    .map((condition) => ({ text: bars[condition].counted, count: count(condition) }))
    .filter((one) => one.count > 0)
    .map((one) => `${one.count} ${one.count === 1 ? 'day' : 'days'} ${one.text}`)
  return m.status_the_last_count_days_listed({ count: days.length, listed: listed.join(', ') })
}
