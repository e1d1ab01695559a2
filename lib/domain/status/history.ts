/** Computes the history of the components from the samples of each day and the incidents. */
import { dayOf, daysAfter } from '@/lib/kernel/utc-day'
import type { ComponentName, Condition } from './schema'

export interface IncidentSpan {
  component: ComponentName | null
  condition: Exclude<Condition, 'operational'>
  startedAt: Date
  endedAt: Date | null
}

interface DayHistory {
  day: string
  condition: Condition | 'no_data'
  outage_seconds: number
  degraded_seconds: number
  measured_seconds: number
}

export interface ComponentHistory {
  name: ComponentName
  uptime: number | null
  days: DayHistory[]
}

/** A sample stands for a minute. */
const sampleSeconds = 60
const daySeconds = 86_400

type Span = [from: number, to: number]

/** Returns the number of seconds that at least one of the spans covers between two times. */
function covered(spans: Span[], from: number, to: number): number {
  let sum = 0
  let end = from
  for (const [first, last] of spans.toSorted(([a], [b]) => a - b)) {
    const [start, stop] = [Math.max(first, end), Math.min(last, to)]
    if (stop > start) sum += stop - start
    end = Math.max(end, stop)
  }
  return Math.round(sum / 1000)
}

/** Returns the spans of the incidents that concern a component. Without the database no component works. */
function spansOf(name: ComponentName, incidents: IncidentSpan[], now: Date) {
  const own = incidents.filter(
    ({ component, condition }) =>
      component === null || component === name || (component === 'database' && condition === 'outage'),
  )
  const spans = (some: IncidentSpan[]) =>
    some.map(({ startedAt, endedAt }): Span => [startedAt.getTime(), (endedAt ?? now).getTime()])
  return { all: spans(own), outages: spans(own.filter(({ condition }) => condition === 'outage')) }
}

function conditionOf(outage: number, degraded: number, measured: number): DayHistory['condition'] {
  if (outage > 0) return 'outage'
  if (degraded > 0) return 'degraded'
  return measured > 0 ? 'operational' : 'no_data'
}

/** Returns the history of a component for the last days up to today. `samples` has the number of samples by day. */
export function componentHistory(
  name: ComponentName,
  days: number,
  samples: ReadonlyMap<string, number>,
  incidents: IncidentSpan[],
  now: Date,
): ComponentHistory {
  const { all, outages } = spansOf(name, incidents, now)
  // No worker can count samples while the database is down.
  const unsampled = spansOf('database', incidents, now).outages
  const list = Array.from({ length: days }, (_, index): DayHistory => {
    const day = daysAfter(dayOf(now), index + 1 - days)
    const from = Date.parse(day)
    const to = Math.min(from + daySeconds * 1000, now.getTime())
    const outage = covered(outages, from, to)
    const sampled = (samples.get(day) ?? 0) * sampleSeconds + covered(unsampled, from, to)
    const degraded = covered(all, from, to) - outage
    const measured = Math.min(Math.round((to - from) / 1000), Math.max(sampled, outage + degraded))
    return {
      day,
      condition: conditionOf(outage, degraded, measured),
      outage_seconds: outage,
      degraded_seconds: degraded,
      measured_seconds: measured,
    }
  })
  return { name, uptime: uptimeOf(list), days: list }
}

function uptimeOf(days: DayHistory[]): number | null {
  const measured = days.reduce((sum, day) => sum + day.measured_seconds, 0)
  const outage = days.reduce((sum, day) => sum + day.outage_seconds, 0)
  return measured === 0 ? null : Math.max(0, 1 - outage / measured)
}
