import { describe, expect, it } from 'vitest'
import { canonicalTimeZone, dayAfter, dayOf, timeOn } from './time-zone'

describe('canonicalTimeZone', () => {
  it('returns the name of a zone in its usual spelling', () => {
    expect(canonicalTimeZone('europe/BERLIN')).toBe('Europe/Berlin')
    expect(canonicalTimeZone(' america/new york ')).toBe('America/New_York')
    for (const [former, current] of [
      ['Europe/Kiev', 'Europe/Kyiv'],
      ['Asia/Calcutta', 'Asia/Kolkata'],
    ])
      expect(canonicalTimeZone(String(former))).toBe(canonicalTimeZone(String(current)))
    expect(canonicalTimeZone('America/Argentina/Buenos_Aires')).toMatch(/^America\/.*Buenos_Aires$/)
  })

  it.each(['', 'Mars/Olympus', '+01:00', 'Europe/Berlin; Path=/', '../etc', 'a'.repeat(5000)])(
    'returns null for %j',
    (name) => expect(canonicalTimeZone(name)).toBeNull(),
  )
})

describe('timeOn', () => {
  it.each([
    ['2026-11-22', 8, 'UTC', '2026-11-22T08:00:00.000Z'],
    ['2026-11-22', 8, 'Europe/Berlin', '2026-11-22T07:00:00.000Z'],
    ['2026-07-01', 8, 'America/New_York', '2026-07-01T12:00:00.000Z'],
    ['2026-11-22', 8, 'Pacific/Kiritimati', '2026-11-21T18:00:00.000Z'],
    // The night in which clocks go back, and the one in which they go forward.
    ['2026-10-25', 8, 'Europe/Berlin', '2026-10-25T07:00:00.000Z'],
    ['2026-03-29', 8, 'Europe/Berlin', '2026-03-29T06:00:00.000Z'],
  ])('returns when clocks show that hour: %s, %i o’clock, %s', (date, hour, zone, at) => {
    expect(timeOn(date, hour, zone).toISOString()).toBe(at)
  })
})

describe('dayOf', () => {
  it('returns the day of the calendar in the zone', () => {
    const at = new Date('2026-12-31T23:30:00.000Z')
    expect(dayOf(at, 'UTC')).toBe('2026-12-31')
    expect(dayOf(at, 'Europe/Berlin')).toBe('2027-01-01')
    expect(dayAfter('2026-12-31')).toBe('2027-01-01')
  })
})
