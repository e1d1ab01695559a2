import { describe, expect, it } from 'vitest'
import { counts } from '@/lib/infrastructure/events/kinds/kind'
import { daysAfter } from '@/lib/kernel/text/utc-day'
import { historyOf, pageViews, type RecordedDay } from './history'

const today = '2027-03-02'
const current = {
  registered_ducklings: 9,
  certified: 4,
  bonded_agents: 3,
  domains: 2,
  completed_pecks: 7,
}
const ducklings = (day: string, value: number): RecordedDay => ({ day, name: 'registered_ducklings', value })
const views = (day: string, value: number): RecordedDay => ({ day, name: pageViews, value })
const run = (length: number, make: (index: number) => RecordedDay) =>
  Array.from({ length }, (_, n) => make(n))

describe('the history of the public counts', () => {
  it('has only today when no day was recorded', () => {
    const { days, counts: series } = historyOf([], today, current)
    expect(days).toEqual([today])
    expect(series.registered_ducklings).toEqual([9])
  })

  it('ends with the current counts, even when today was recorded', () => {
    const { days, counts: series } = historyOf(
      [ducklings('2027-03-01', 5), ducklings(today, 6)],
      today,
      current,
    )
    expect(days).toEqual(['2027-03-01', today])
    expect(series.registered_ducklings).toEqual([5, 9])
  })

  it('repeats the previous value on days without a record, also across the end of a month', () => {
    const { days, counts: series } = historyOf(
      [ducklings('2027-02-26', 3), ducklings('2027-03-01', 5)],
      today,
      current,
    )
    expect(days).toEqual(['2027-02-26', '2027-02-27', '2027-02-28', '2027-03-01', today])
    expect(series.registered_ducklings).toEqual([3, 3, 3, 5, 9])
  })

  it('has a value of every count for every day, 0 before the first record', () => {
    const { days, counts: series } = historyOf([ducklings('2027-02-20', 3)], today, current)
    for (const name of counts) expect(series[name]).toHaveLength(days.length)
    expect(series.certified.slice(0, -1).every((value) => value === 0)).toBe(true)
  })

  it('has one value per week when it is long, and ends today', () => {
    const first = daysAfter(today, -364)
    const {
      days,
      counts: series,
      step,
    } = historyOf(
      run(364, (n) => ducklings(daysAfter(first, n), n)),
      today,
      current,
    )
    expect(step).toBe(7)
    expect(days).toHaveLength(53)
    expect(days[0]).toBe(first)
    expect(days.at(-1)).toBe(today)
    expect(series.registered_ducklings.slice(0, 3)).toEqual([0, 7, 14])
  })
})

describe('page views', () => {
  it('have values for past days, not for today', () => {
    const { views: bars } = historyOf([views('2027-02-28', 4), views('2027-03-01', 6)], today, current)
    expect(bars).toEqual([
      { day: '2027-02-28', days: 1, value: 4 },
      { day: '2027-03-01', days: 1, value: 6 },
    ])
  })

  it('are empty when no views were recorded', () => {
    expect(historyOf([views('2027-02-28', 0), views('2027-03-01', 0)], today, current).views).toEqual([])
  })

  it('are summed per whole week in a long history', () => {
    const first = daysAfter(today, -200)
    const recorded = [
      ...run(200, (n) => ducklings(daysAfter(first, n), 1)),
      ...run(200, (n) => views(daysAfter(first, n), 2)),
    ]
    const bars = historyOf(recorded, today, current).views
    expect(bars).toHaveLength(28)
    expect(new Set(bars.map(({ value }) => value))).toEqual(new Set([14]))
    expect(daysAfter(bars.at(-1)?.day ?? '', 7)).toBe(today)
  })
})
