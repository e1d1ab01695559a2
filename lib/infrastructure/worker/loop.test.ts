import { describe, expect, it } from 'vitest'
import { gathered } from './loop'

describe('gathered', () => {
  it('runs simultaneous items together and gives each its own result', async () => {
    const runs: number[][] = []
    const double = gathered(async (items: number[]) => {
      runs.push(items)
      return items.map((item) => item * 2)
    })
    expect(await Promise.all([1, 2, 3].map(double))).toEqual([2, 4, 6])
    expect(await double(4)).toBe(8)
    expect(runs).toEqual([[1, 2, 3], [4]])
  })

  it('fails only the faulty item of a run', async () => {
    const refuse = gathered(async (items: number[]) => {
      if (items.includes(2)) throw new Error('two')
      return items
    })
    const results = await Promise.allSettled([1, 2, 3].map(refuse))
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await refuse(5)).toBe(5)
  })

  it('gathers further items while a run is in progress, without overlapping runs', async () => {
    let running = 0
    const sizes: number[] = []
    const count = gathered(async (items: number[]) => {
      expect(++running).toBe(1)
      sizes.push(items.length)
      await new Promise(setImmediate)
      running--
      return items
    })
    const first = count(0)
    await new Promise(setImmediate)
    await Promise.all([first, ...Array.from({ length: 250 }, (_, index) => count(index))])
    expect(sizes).toEqual([1, 200, 50])
  })
})
