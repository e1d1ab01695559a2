import { describe, expect, it } from 'vitest'
import { counts } from '@/lib/infrastructure/events/kinds'
import { daysAfter, historyOf, type KeptDay, pageViews } from './history'

const today = '2027-03-02'
const current = {
  registered_ducklings: 9,
  certified: 4,
  bonded_agents: 3,
  domains: 2,
  completed_pecks: 7,
}
const ducklings = (day: string, value: number): KeptDay => ({ day, name: 'registered_ducklings', value })
const views = (day: string, value: number): KeptDay => ({ day, name: pageViews, value })
const run = (length: number, make: (index: number) => KeptDay) => Array.from({ length }, (_, n) => make(n))

describe('the history of the public counts', () => {
  it('is today alone where no day was kept', () => {
    const { days, counts: series } = historyOf([], today, current)
    expect(days).toEqual([today])
    expect(series.registered_ducklings).toEqual([9])
  })

  it('ends with the counts as they are now, whatever was kept of today', () => {
    const { days, counts: series } = historyOf(
      [ducklings('2027-03-01', 5), ducklings(today, 6)],
      today,
      current,
    )
    expect(days).toEqual(['2027-03-01', today])
    expect(series.registered_ducklings).toEqual([5, 9])
  })

  it('shows what was known before on days nobody kept, over the end of a month', () => {
    const { days, counts: series } = historyOf(
      [ducklings('2027-02-26', 3), ducklings('2027-03-01', 5)],
      today,
      current,
    )
    expect(days).toEqual(['2027-02-26', '2027-02-27', '2027-02-28', '2027-03-01', today])
    expect(series.registered_ducklings).toEqual([3, 3, 3, 5, 9])
  })

  it('has a value of every count for every day, and nought for what was not counted yet', () => {
    const { days, counts: series } = historyOf([ducklings('2027-02-20', 3)], today, current)
    for (const name of counts) expect(series[name]).toHaveLength(days.length)
    expect(series.certified.slice(0, -1).every((value) => value === 0)).toBe(true)
  })

  it('is drawn week by week once it is long, and still ends today', () => {
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
  it('are told for days that are over, today left out', () => {
    const { views: bars } = historyOf([views('2027-02-28', 4), views('2027-03-01', 6)], today, current)
    expect(bars).toEqual([
      { day: '2027-02-28', days: 1, value: 4 },
      { day: '2027-03-01', days: 1, value: 6 },
    ])
  })

  it('are none where nobody records any', () => {
    expect(historyOf([views('2027-02-28', 0), views('2027-03-01', 0)], today, current).views).toEqual([])
  })

  it('of a long history are summed up by whole weeks', () => {
    const first = daysAfter(today, -200)
    const kept = [
      ...run(200, (n) => ducklings(daysAfter(first, n), 1)),
      ...run(200, (n) => views(daysAfter(first, n), 2)),
    ]
    const bars = historyOf(kept, today, current).views
    expect(bars).toHaveLength(28)
    expect(new Set(bars.map(({ value }) => value))).toEqual(new Set([14]))
    expect(daysAfter(bars.at(-1)?.day ?? '', 7)).toBe(today)
  })
})
