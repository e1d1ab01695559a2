import { expect, it } from 'vitest'
import { randomBytes } from './random'

it('returns as many bytes as asked for, also across the end of the stock', () => {
  for (const count of [0, 1, 10, 4000, 4096, 500]) expect(randomBytes(count)).toHaveLength(count)
})

it('never returns the same bytes again', () => {
  const seen = new Set(Array.from({ length: 2000 }, () => randomBytes(16).toString('hex')))
  expect(seen.size).toBe(2000)
})

it('returns bytes that later calls do not change', () => {
  const first = randomBytes(32)
  const text = first.toString('hex')
  for (let call = 0; call < 500; call++) randomBytes(32)
  expect(first.toString('hex')).toBe(text)
})

it('throws when more bytes are asked for than the stock has', () => {
  expect(() => randomBytes(4097)).toThrow(RangeError)
})
