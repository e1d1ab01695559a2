/** What the kept days of the public counts say, laid out for drawing. */
import { type CountName, counts } from '@/lib/infrastructure/events/kinds'

/** The name page views have among the kept days: as many as the day had, where the counts are what they came to. */
export const pageViews = 'page_views'

/** More days than this are drawn week by week. */
const daysDrawn = 120

export interface KeptDay {
  day: string
  name: string
  value: number
}

export interface History {
  /** The day of each value, oldest first; the last one is today. */
  days: string[]
  /** A value for each day. On days nobody kept, what was known before. */
  counts: Record<CountName, number[]>
  /** Page views of days that are over; `days` of them from `day` on. Empty where nobody records any. */
  views: { day: string; days: number; value: number }[]
  /** How many days are drawn as one. */
  step: 1 | 7
}

const dayMilliseconds = 86_400_000

/** The day (UTC) an instant is in, as YYYY-MM-DD. */
export function dayOf(instant: Date): string {
  return instant.toISOString().slice(0, 10)
}

/** The day so many days after another. */
export function daysAfter(day: string, days: number): string {
  return dayOf(new Date(Date.parse(day) + days * dayMilliseconds))
}

function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / dayMilliseconds)
}

/** Lays out kept days, oldest first, up to today, whose counts are `current`. */
export function historyOf(kept: KeptDay[], today: string, current: Record<CountName, number>): History {
  const known = kept.filter(({ name }) => name !== pageViews)
  const first = known[0]?.day ?? today
  const length = Math.max(0, daysBetween(first, today)) + 1
  const step = length > daysDrawn ? 7 : 1
  const points = Math.ceil(length / step)
  const days = Array.from({ length: points }, (_, index) => daysAfter(today, (index + 1 - points) * step))
  const series = counts.map((name) => [name, [...seriesOf(known, name, days.slice(0, -1)), current[name]]])
  return {
    days,
    counts: Object.fromEntries(series) as Record<CountName, number[]>,
    views: viewsOf(kept, today, step),
    step,
  }
}

/** The latest value of a count known on each of the days. */
function seriesOf(known: KeptDay[], name: CountName, days: string[]): number[] {
  const own = known.filter((one) => one.name === name)
  let next = 0
  let value = 0
  return days.map((day) => {
    for (let one = own[next]; one !== undefined && one.day <= day; one = own[++next]) value = one.value
    return value
  })
}

/** Page views, summed up over whole steps that end yesterday. */
function viewsOf(kept: KeptDay[], today: string, step: 1 | 7): History['views'] {
  const own = kept.filter(({ name }) => name === pageViews)
  const first = own[0]?.day
  if (first === undefined || own.every(({ value }) => value === 0)) return []
  const bars = Math.floor(daysBetween(first, today) / step)
  const views = Array.from({ length: bars }, (_, index) => ({
    day: daysAfter(today, (index - bars) * step),
    days: step,
    value: 0,
  }))
  for (const { day, value } of own) {
    const bar = views[bars - Math.ceil(daysBetween(day, today) / step)]
    if (bar) bar.value += value
  }
  return views
}
