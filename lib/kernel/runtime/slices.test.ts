import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { countSlices, inSlices, sliceWeight } from './slices'

const heavy = () => sliceWeight

it('returns the results in order, and takes a new slice before the weight exceeds one', async () => {
  const before = countSlices()
  const results = await inSlices(
    [1, 2, 3, 4, 5],
    () => sliceWeight / 2,
    (item) => item * 10,
  )
  expect([results, countSlices() - before]).toEqual([[10, 20, 30, 40, 50], 2])
})

it('works on a short list at once', async () => {
  const before = countSlices()
  const all = inSlices(
    [1, 2],
    () => 1,
    (item) => item,
  )
  expect(countSlices() - before).toBe(0)
  expect(await all).toEqual([1, 2])
})

it('works on an item that weighs more than a slice alone', async () => {
  const before = countSlices()
  await inSlices([1, 2, 3], () => 10 * sliceWeight, heavy)
  expect(countSlices() - before).toBe(2)
})

// security: stranger-13
it('runs at most one slice in each turn of the event loop, however many computations run', async () => {
  let turn = 0
  let isOver = false
  const count = async () => {
    for (; !isOver; turn++) await nextTurn()
  }
  const counting = count()
  const turns: number[] = []
  // The first slice of each runs at once.
  const begun = new Set<number>()
  const work = (of: number) => (begun.has(of) ? void turns.push(turn) : void begun.add(of))
  await Promise.all([1, 2, 3].map((of) => inSlices([of, of, of, of], heavy, work)))
  isOver = true
  await counting
  expect([turns.length, new Set(turns).size]).toEqual([9, 9])
})

it('rejects with the error of an item, and lets the others go on', async () => {
  const failing = inSlices([1, 2], heavy, (item) => {
    if (item === 2) throw new Error('not possible')
  })
  const going = inSlices([1, 2, 3], heavy, (item) => item)
  await expect(failing).rejects.toThrow('not possible')
  expect(await going).toEqual([1, 2, 3])
})
