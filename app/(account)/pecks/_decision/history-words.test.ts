import { expect, it } from 'vitest'
import { historyWords } from './history-words'

it.each([
  [1, 1, 0, 0, 'Asks you for this for the first time.'],
  [2, 2, 0, 0, 'Asked you for this twice. Both requests wait for your answer.'],
  [5, 5, 0, 0, 'Asked you for this 5 times. All of them wait for your answer.'],
  [2, 1, 0, 0, 'Asked you for this once before. You never approved it.'],
  [4, 2, 0, 0, 'Asked you for this twice before. You never approved it.'],
  [15, 1, 12, 0, 'Asked 14 times before. You approved 12.'],
  [1201, 1, 1000, 0, 'Asked 1,200 times before. You approved 1,000.'],
  [15, 1, 0, 12, 'Asked 14 times before. Your rule approved 12.'],
  [15, 1, 5, 7, 'Asked 14 times before. You approved 5, your rule 7.'],
])('describes %i requests, of which %i wait, %i approved by the viewer and %i by a rule', (...counts) => {
  const [asked, waiting, approved, approved_by_rule, words] = counts
  expect(historyWords({ asked, waiting, approved, approved_by_rule })).toBe(words)
})
