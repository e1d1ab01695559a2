import { describe, expect, it } from 'vitest'
import { barsOf, curveOf, scaleFor } from './chart'

describe('scaleFor', () => {
  it.each([
    [[0], [0, 1]],
    [[1], [0, 1]],
    [
      [3, 2],
      [0, 1, 2, 3],
    ],
    [[4], [0, 2, 4]],
    [[11], [0, 5, 10, 15]],
    [[30], [0, 10, 20, 30]],
    [[31], [0, 20, 40]],
    [[7_421], [0, 5_000, 10_000]],
  ])('for %j has lines at %j', (values, ticks) => {
    expect(scaleFor(values)).toEqual({ top: ticks.at(-1), ticks })
  })

  it('contains every value, in one to four equal steps of whole numbers', () => {
    for (let most = 0; most < 20_000; most = Math.ceil(most * 1.07) + 1) {
      const { top, ticks } = scaleFor([most, 0])
      expect(top).toBeGreaterThanOrEqual(most)
      expect(ticks.every(Number.isInteger)).toBe(true)
      expect(ticks.length).toBeGreaterThanOrEqual(2)
      expect(ticks.length).toBeLessThanOrEqual(5)
      expect(top).toBeLessThan(Math.max(2, most * 2.01))
    }
  })
})

describe('curveOf', () => {
  it('goes from the first value at the left edge to the last at the right edge, with zero at the bottom', () => {
    const { line, area, end } = curveOf([0, 5, 10], 10, 100, 50)
    expect(line).toBe('M0 50L50 25L100 0')
    expect(area).toBe('M0 50L50 25L100 0V50H0Z')
    expect(end).toEqual({ x: 100, y: 0 })
  })

  it('draws a single value as a horizontal line over the whole width', () => {
    expect(curveOf([4], 8, 100, 50).line).toBe('M0 25L100 25')
  })
})

describe('barsOf', () => {
  it('places bars side by side within the width, starting at zero', () => {
    const bars = barsOf([1, 0, 4], 4, 90, 40)
    expect(bars.map(({ x, width }) => [x, width])).toEqual([
      [3, 24],
      [33, 24],
      [63, 24],
    ])
    expect(bars.map(({ y, height }) => y + height)).toEqual([40, 40, 40])
    expect(bars.map(({ height }) => height)).toEqual([10, 0, 40])
  })

  it('gives the smallest value above zero a visible height, and zero none', () => {
    expect(barsOf([1, 0], 100_000, 10, 200).map(({ height }) => height)).toEqual([2, 0])
  })
})
