import { describe, expect, it } from 'vitest'
import { median, percentile, shuffled } from './statistics'

describe('median', () => {
  it('returns the middle value, or the mean of the two middle values', () => {
    expect(median([3, 1, 2])).toBe(2)
    expect(median([4, 1, 2, 3])).toBe(2.5)
  })

  it('ignores values that are not finite, and returns NaN without any value', () => {
    expect(median([Number.NaN, 5, Number.POSITIVE_INFINITY])).toBe(5)
    expect(median([])).toBeNaN()
  })
})

describe('percentile', () => {
  it('returns the value at a share of the sorted values', () => {
    const sorted = Array.from({ length: 100 }, (_, index) => index + 1)
    expect([percentile(sorted, 0.5), percentile(sorted, 0.99), percentile(sorted, 1)]).toEqual([51, 100, 100])
  })
})

describe('shuffled', () => {
  it('returns the same items and leaves the list unchanged', () => {
    const items = [1, 2, 3, 4, 5]
    expect(shuffled(items).sort()).toEqual(items)
    expect(items).toEqual([1, 2, 3, 4, 5])
  })
})
