import { expect, it } from 'vitest'
import { day, hour, minute, secondsAfter } from '@/lib/kernel/runtime/clock'
import { reminderTime } from './remind'

const createdAt = new Date('2026-11-22T12:00:00.000Z')
const quiet = { from: 22 * 60, to: 7 * 60, timeZone: 'UTC' }

/** Returns how many seconds before the end the reminder comes. */
function lead(seconds: number, quietHours: typeof quiet | null = null, created = createdAt): number | null {
  const expiresAt = secondsAfter(created, seconds)
  const at = reminderTime(created, expiresAt, quietHours)
  return at === null ? null : (expiresAt.getTime() - at.getTime()) / 1000
}

it('comes when a quarter of the time is left, at most a day before the end', () => {
  expect(lead(hour)).toBe(15 * minute)
  expect(lead(day)).toBe(6 * hour)
  expect(lead(4 * day)).toBe(day)
  expect(lead(30 * day)).toBe(day)
})

it('does not come for a request that waits for less than an hour', () => {
  expect(lead(hour - 1)).toBeNull()
  expect(lead(minute)).toBeNull()
})

it('waits for the end of quiet hours when the request lasts that long', () => {
  const created = new Date('2026-11-22T20:00:00.000Z')
  expect(lead(12 * hour, quiet, created)).toBe(3 * hour)
})

it('comes ten minutes before quiet hours in which the request expires', () => {
  const created = new Date('2026-11-22T20:00:00.000Z')
  // It expires at 6:00. The quiet hours begin at 22:00.
  expect(lead(10 * hour, quiet, created)).toBe(8 * hour + 10 * minute)
})

it('does not come when quiet hours leave no time between announcement and end', () => {
  expect(lead(8 * hour, quiet, new Date('2026-11-22T22:30:00.000Z'))).toBeNull()
  expect(lead(10 * hour, quiet, new Date('2026-11-22T21:30:00.000Z'))).not.toBeNull()
  expect(lead(9 * hour, quiet, new Date('2026-11-22T21:30:00.000Z'))).toBeNull()
})
