import { describe, expect, it } from 'vitest'
import { dayIn, distanceFrom, inUtc, inZone, longDay } from './time-words'

const at = '2026-11-21T22:30:00.000Z'

describe('a time as text', () => {
  it('is in the zone, without its name', () => {
    expect(inZone(at, 'Asia/Tokyo')).toBe('22 Nov 2026, 07:30')
    expect(inZone(at, 'Asia/Tokyo', 'day')).toBe('22 November 2026')
    expect(inZone(at, 'Asia/Tokyo', 'clock')).toBe('07:30')
  })

  it('is marked as UTC without a zone and in UTC', () => {
    expect(inUtc(at)).toBe('21 Nov 2026, 22:30 UTC')
    expect(inZone(at, null)).toBe('21 Nov 2026, 22:30 UTC')
    expect(inZone(at, 'UTC')).toBe('21 Nov 2026, 22:30 UTC')
  })

  it('has daylight saving time', () => {
    expect(inZone('2026-07-01T12:00:00Z', 'Europe/Berlin', 'clock')).toBe('14:00')
    expect(inZone('2026-12-01T12:00:00Z', 'Europe/Berlin', 'clock')).toBe('13:00')
  })

  it('has the day of the zone for grouping', () => {
    expect(dayIn(at, 'Asia/Tokyo')).toBe('2026-11-22')
    expect(dayIn(at, null)).toBe('2026-11-21')
    expect(longDay('2026-11-22')).toBe('22 November 2026')
  })

  it('is a distance in the largest unit', () => {
    const now = new Date(at)
    expect(distanceFrom(now, '2026-11-21T22:29:57Z')).toBe('just now')
    expect(distanceFrom(now, '2026-11-21T22:29:30Z')).toBe('30 seconds ago')
    expect(distanceFrom(now, '2026-11-24T22:30:00Z')).toBe('in 3 days')
  })
})
