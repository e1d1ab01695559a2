import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { historyWords, UsedSentence } from './request-notes'

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

it.each([
  [1, 0, 'The last permission for this requester was not used.'],
  [3, 0, 'The last 3 permissions for this requester were not used.'],
  [1, 1, 'The last permission for this requester was used once, last today.'],
  [1, 2, 'The last permission for this requester was used twice, last today.'],
  [3, 1200, 'The last 3 permissions for this requester were used 1,200 times, last today.'],
])('describes %d approvals with %d uses', (approvals, uses, words) => {
  const shown = createElement(UsedSentence, { approvals, uses, time: () => 'today' })
  expect(renderToStaticMarkup(shown)).toBe(words)
})
