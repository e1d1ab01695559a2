/** What the status of the service means for its users. */
import type { ResponseOf } from '@/app/beak/_api/lines'

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

export const overall: Record<Condition, { title: string; text: string }> = {
  operational: { title: 'Everything works', text: 'All parts of Beak work as they should.' },
  degraded: {
    title: 'Some parts have problems',
    text: 'Beak works, but a part of it has problems. See below which one, and what that means for you.',
  },
  outage: {
    title: 'Beak is down',
    text: 'Beak rejects all requests until the database is available again. Nothing that was confirmed is lost.',
  },
}

export const parts: Record<'database' | 'outbox' | 'redis', Part> = {
  database: {
    title: 'Database',
    role: 'Stores identities, requests and everything else.',
    trouble: 'Nothing can be read or changed.',
  },
  outbox: {
    title: 'Email and webhooks',
    role: 'Sends codes, notices and events.',
    trouble: 'Codes, notices and events arrive late.',
  },
  redis: {
    title: 'Rate limits',
    role: 'Counts requests over all instances.',
    trouble: 'Sign-up, sign-in and new codes have to wait. Everything else works.',
  },
}

/** What a day looks like: the height of its bar says the same as its colour. */
export const bars: Record<Day['condition'], { label: string; counted: string; look: string }> = {
  operational: { label: 'Works', counted: 'without problems', look: 'h-full bg-good' },
  degraded: { label: 'Delayed', counted: 'with delays', look: 'h-2/3 bg-warn' },
  outage: { label: 'Down', counted: 'with an outage', look: 'h-1/3 bg-bad' },
  no_data: { label: 'No data', counted: 'without data', look: 'h-0.5 bg-edge' },
}

export const words: Record<Condition, { label: string; tone: 'good' | 'warn' | 'bad' }> = {
  operational: { label: 'Works', tone: 'good' },
  degraded: { label: 'Delayed', tone: 'warn' },
  outage: { label: 'Down', tone: 'bad' },
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
  return milliseconds < 10 ? `${milliseconds.toFixed(1)} ms` : `${Math.round(milliseconds)} ms`
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
  return `${(Math.floor(part * 10_000) / 100).toLocaleString('en-GB')}%`
}

/** Returns what happened to a component on a day: `Works`, `Down for 12 minutes`. */
export function dayWords({ condition, outage_seconds, degraded_seconds }: Day): string {
  const { label } = bars[condition]
  const seconds = condition === 'outage' ? outage_seconds : condition === 'degraded' ? degraded_seconds : null
  return seconds === null ? label : `${label} for ${lengthWords(seconds)}`
}

/** Returns the bars of a component as a sentence. */
export function barsWords({ days }: ComponentHistory): string {
  const count = (condition: Day['condition']) => days.filter((day) => day.condition === condition).length
  const listed = (Object.keys(bars) as Day['condition'][])
    .map((condition) => ({ text: bars[condition].counted, count: count(condition) }))
    .filter((one) => one.count > 0)
    .map((one) => `${one.count} ${one.count === 1 ? 'day' : 'days'} ${one.text}`)
  return `The last ${days.length} days: ${listed.join(', ')}.`
}
