import { expect, it } from 'vitest'
import { parseInstant } from './instant'

it.each([
  ['2026-11-22 06:00:00+00', '2026-11-22T06:00:00.000Z'],
  ['2026-11-22 23:59:59.9+00', '2026-11-22T23:59:59.900Z'],
  ['2026-11-22 06:07:08.12+00', '2026-11-22T06:07:08.120Z'],
  ['2026-11-22 06:07:08.001+00', '2026-11-22T06:07:08.001Z'],
  ['2028-02-29 06:07:08.123999+00', '2028-02-29T06:07:08.123Z'],
  ['1969-12-31 23:59:59.999+00', '1969-12-31T23:59:59.999Z'],
])('reads %s', (text, expected) => {
  expect(parseInstant(text).toISOString()).toBe(expected)
})

it('returns an invalid date for a text that is no time', () => {
  expect(parseInstant('infinity').getTime()).toBeNaN()
})
