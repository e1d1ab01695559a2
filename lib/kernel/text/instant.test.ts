import { expect, it } from 'vitest'
import { instantText } from './instant'

it.each([
  '2026-11-22T06:00:00.000Z',
  '2026-11-22T23:59:59.999Z',
  '2028-02-29T00:00:00.001Z',
  '1969-12-31T23:59:59.999Z',
  '0001-01-01T00:00:00.000Z',
  '+012026-01-01T10:09:08.070Z',
])('returns the text that Date.toISOString returns: %s', (text) => {
  expect(instantText(new Date(text))).toBe(text)
})

it('returns the day of each time when days alternate', () => {
  const texts = ['2026-11-22T06:00:00.000Z', '2026-11-23T06:00:00.000Z', '2026-11-22T06:00:00.000Z']
  expect(texts.map((text) => instantText(new Date(text)))).toEqual(texts)
})

it('throws for an invalid date', () => {
  expect(() => instantText(new Date(Number.NaN))).toThrow(RangeError)
})
