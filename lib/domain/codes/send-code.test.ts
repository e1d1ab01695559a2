import { expect, it } from 'vitest'
import { randomCode } from './send-code'

// security: check-1
it('returns evenly distributed digits, including leading zeros', () => {
  const codes = Array.from({ length: 60_000 }, randomCode)
  expect(codes.every((code) => /^\d{6}$/.test(code))).toBe(true)
  for (const place of [0, 1, 2, 3, 4, 5]) {
    const counts = Array.from(
      { length: 10 },
      (_, digit) => codes.filter((code) => Number(code[place]) === digit).length,
    )
    const chiSquared = counts.reduce((sum, count) => sum + (count - 6000) ** 2 / 6000, 0)
    // Nine degrees of freedom: a fair source exceeds 50 about once in ten million runs.
    expect([place, chiSquared < 50]).toEqual([place, true])
  }
})
