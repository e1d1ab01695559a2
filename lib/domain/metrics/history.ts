/** Turns the recorded days of the public counts into series for a chart. */
import { type CountName, counts } from '@/lib/infrastructure/events/kinds/kind'
import { daysAfter, daysBetween } from '@/lib/kernel/text/utc-day'

/** The name of page views in the recorded days. Their value is the number on that day, while a count is the total at its end. */
export const pageViews = 'page_views'

/** A longer history has one value per week. */
const dailyMax = 120

export interface RecordedDay {
  day: string
  name: string
  value: number
}

export interface History {
  /** The days of the values, oldest first. The last one is today. */
  days: string[]
  /** One value per day. A day without a record has the value of the day before. */
  counts: Record<CountName, number[]>
  /** Page views of past days. Each value is the sum of `days` days from `day` on. Empty when no views were recorded. */
  views: { day: string; days: number; value: number }[]
  /** Days per value. */
  step: 1 | 7
}

/** Returns the history up to today, with `current` as today's counts. `recorded` must be oldest first. */
export function historyOf(
  recorded: RecordedDay[],
  today: string,
  current: Record<CountName, number>,
): History {
  const known = recorded.filter(({ name }) => name !== pageViews)
  const first = known[0]?.day ?? today
  const length = Math.max(0, daysBetween(first, today)) + 1
  const step = length > dailyMax ? 7 : 1
  const points = Math.ceil(length / step)
  const days = Array.from({ length: points }, (_, index) => daysAfter(today, (index + 1 - points) * step))
  const series = counts.map((name) => [name, [...seriesOf(known, name, days.slice(0, -1)), current[name]]])
  return {
    days,
    counts: Object.fromEntries(series) as Record<CountName, number[]>,
    views: viewsOf(recorded, today, step),
    step,
  }
}

/** Returns, for each day, the latest recorded value of a count. */
function seriesOf(known: RecordedDay[], name: CountName, days: string[]): number[] {
  const own = known.filter((one) => one.name === name)
  let next = 0
  let value = 0
  return days.map((day) => {
    for (let one = own[next]; one !== undefined && one.day <= day; one = own[++next]) value = one.value
    return value
  })
}

/** Returns sums of page views per whole step. The last step ends yesterday. */
function viewsOf(recorded: RecordedDay[], today: string, step: 1 | 7): History['views'] {
  const own = recorded.filter(({ name }) => name === pageViews)
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
