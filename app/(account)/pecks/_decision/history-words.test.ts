import { expect, it } from 'vitest'
import { historyWords } from './history-words'

it.each([
  [1, 0, 'Asks you for this for the first time.'],
  [2, 0, 'Asked you for this twice. You never approved it.'],
  [14, 12, 'Asked 14 times, you approved 12.'],
  [1200, 1000, 'Asked 1,200 times, you approved 1,000.'],
])('describes %i requests with %i approvals', (asked, approved, words) => {
  expect(historyWords({ asked, approved })).toBe(words)
})
