import { expect, it } from 'vitest'
import { Recent } from './recent'

it('keeps what was used last, and forgets the others', () => {
  const recent = new Recent<number>(4)
  for (const number of [1, 2, 3]) recent.keep(`${number}`, number)
  expect(recent.find('1')).toBe(1)
  for (const number of [4, 5, 6]) {
    recent.keep(`${number}`, number)
    expect(recent.find('1')).toBe(1)
  }
  expect(['2', '3'].map((key) => recent.find(key))).toEqual([undefined, undefined])
})

it('never keeps more values than its maximum', () => {
  const recent = new Recent<number>(10)
  for (let number = 0; number < 1000; number++) recent.keep(`${number}`, number)
  const kept = Array.from({ length: 1000 }, (_, number) => recent.find(`${number}`)).filter(
    (value) => value !== undefined,
  )
  expect(kept.length).toBeLessThanOrEqual(10)
  expect(kept).toContain(999)
})
