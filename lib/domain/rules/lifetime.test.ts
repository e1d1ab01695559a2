import { periodOf } from '@beak/proofs/rules/period'
import { describe, expect, it } from 'vitest'
import { day, minute, secondsAfter } from '@/lib/kernel/runtime/clock'
import { countedIn, periodEnd, periodStart, permissionEnd } from './lifetime'

const pers = ['day', 'week', 'month'] as const
/** Clocks change at midnight, a day is missing, zones are hours apart. */
const zones = ['UTC', 'Europe/Berlin', 'Africa/Cairo', 'America/Santiago', 'Pacific/Apia', 'Asia/Kathmandu']

describe('a period', () => {
  it.each(zones)('of %s begins and ends exactly where its name changes', (zone) => {
    for (let hours = 0; hours < 366 * 24; hours += 71)
      for (const per of pers) {
        const at = secondsAfter(new Date('2027-01-01T00:12:34.567Z'), hours * 3600)
        const [start, end] = [periodStart(per, zone, at), periodEnd(per, zone, at)]
        const names = [secondsAfter(start, -0.001), start, at, secondsAfter(end, -0.001), end].map((time) =>
          periodOf(per, zone, time),
        )
        const [before, first, own, last, after] = names
        expect([first, last]).toEqual([own, own])
        expect([before, after]).not.toContain(own)
      }
  })
})

describe('a permission', () => {
  const berlin = { per: 'day', timeZone: 'Europe/Berlin' } as const
  const noon = new Date('2026-11-28T11:00:00Z')
  const midnight = new Date('2026-11-28T23:00:00Z')
  const monthly = { per: 'month', timeZone: 'UTC' } as const
  const none = { per: null, timeZone: 'UTC' }

  it('ends as wished, with its rule, or with the first period of a budget', () => {
    const month = secondsAfter(noon, 30 * day)
    expect(permissionEnd([month], [none], noon)).toEqual(month)
    expect(permissionEnd([month], [monthly, berlin], noon)).toEqual(midnight)
    expect(permissionEnd([month, secondsAfter(noon, 60)], [berlin], noon)).toEqual(secondsAfter(noon, 60))
    expect(countedIn(berlin, noon, midnight)).toEqual({ period: '2026-11-28', next: null })
  })

  it('lives at most five minutes across the end of a period, which both periods count', () => {
    const late = secondsAfter(midnight, -4 * minute)
    const until = permissionEnd([secondsAfter(late, day)], [berlin, monthly], late)
    expect(until).toEqual(secondsAfter(late, 5 * minute))
    expect(countedIn(berlin, late, until)).toEqual({ period: '2026-11-28', next: '2026-11-29' })
    expect(countedIn(monthly, late, until)).toEqual({ period: '2026-11', next: null })
    const short = permissionEnd([secondsAfter(late, minute)], [berlin], late)
    expect(countedIn(berlin, late, short).next).toBeNull()
  })
})
