import { expect, it } from 'vitest'
import { readInstant } from './read-instant'

it('returns a time with a zone', () => {
  expect(readInstant('2026-12-05T19:30+01:00')).toBe('2026-12-05T19:30+01:00')
  expect(readInstant('2026-12-05T19:30:15.250Z')).toBe('2026-12-05T19:30:15.250Z')
})

it.each([
  '2026-12-05',
  '2026-12-05T19:30',
  '2026-12-05T19:99Z',
  '2026-12-05T19:30+24:00',
  '2026-12-05T19:30+99:99',
  '2026-12-05T1.9:30Z',
  20261205,
  null,
])('returns null for %j, which has no zone or is no time', (raw) => {
  expect(readInstant(raw)).toBeNull()
})
