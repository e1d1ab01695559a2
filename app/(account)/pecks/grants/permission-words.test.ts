import { expect, it } from 'vitest'
import { extentWords } from './permission-words'

it.each([
  [0, 1, 'Once: 1 use left.'],
  [4, 5, '1 use left.'],
  [2, 5, '3 uses left.'],
  [7, null, 'Any number of uses.'],
])('says how often a permission can still be used: %i of %j', (uses, max_uses, words) => {
  expect(extentWords({ uses, max_uses })).toBe(words)
})
