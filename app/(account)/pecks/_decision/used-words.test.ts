import { expect, it } from 'vitest'
import { usedWords } from './used-words'

it.each([
  [1, 0, 'Your last approval was not used'],
  [1, 1, 'Your last approval was used once'],
  [3, 1200, 'Your latest 3 approvals were used 1,200 times'],
])('describes %d approvals with %d uses', (approvals, uses, words) => {
  expect(usedWords({ approvals, uses, last_used_at: null })).toBe(words)
})
