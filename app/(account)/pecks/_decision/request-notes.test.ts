import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { historyWords, lacksText, UsedSentence } from './request-notes'

it.each([
  [1, 1, 0, 0, 'Asks you for this for the first time.'],
  [2, 2, 0, 0, 'Asked for this action twice, with different details. Both requests wait for your answer.'],
  [5, 5, 0, 0, 'Asked for this action 5 times, with different details. All of them wait for your answer.'],
  [2, 1, 0, 0, 'Asked for this action once before. You never approved it.'],
  [4, 2, 0, 0, 'Asked for this action twice before. You never approved it.'],
  [15, 1, 12, 0, 'Asked 14 times before. You approved 12.'],
  [1201, 1, 1000, 0, 'Asked 1,200 times before. You approved 1,000.'],
  [15, 1, 0, 12, 'Asked 14 times before. Your rule approved 12.'],
  [15, 1, 5, 7, 'Asked 14 times before. You approved 5, your rule 7.'],
])('describes %i requests, of which %i wait, %i approved by the viewer and %i by a rule', (...counts) => {
  const [asked, waiting, approved, approved_by_rule, words] = counts
  expect(historyWords({ asked, waiting, approved, approved_by_rule })).toBe(words)
})

it.each([
  [1, 0, 'The last permission was not used.'],
  [3, 0, 'The last 3 permissions were not used.'],
  [1, 1, 'The last permission was used once, today.'],
  [1, 2, 'The last permission was used twice, last today.'],
  [3, 1200, 'The last 3 permissions were used 1,200 times, last today.'],
])('describes %d approvals with %d uses', (approvals, uses, words) => {
  const shown = createElement(UsedSentence, { approvals, uses, time: () => 'today' })
  expect(renderToStaticMarkup(shown)).toBe(words)
})

it.each([
  ['send:mail', { to: 'eve@lake.example', subject: 'Bread' }, true],
  ['send:email', {}, true],
  ['send:email', { to: 'eve@lake.example', bodyText: 'Hello' }, false],
  ['email:newsletter', { Text: 'Hello' }, false],
  ['send:mail', { to: 'eve@lake.example', letter: 'Dear Eve,\nthe bread is ready.' }, false],
  ['send:mail', { to: 'eve@lake.example', draft: 'The bread is ready. '.repeat(5) }, false],
  ['send:mail', { to: 'eve@lake.example', subject: 'The bread is ready. '.repeat(5) }, true],
  ['send:money', { to: 'eve@lake.example' }, false],
  ['read:mail', {}, false],
])('tells whether %s with %j lacks the text of a mail', (action, params, isMissing) => {
  expect(lacksText({ action, params })).toBe(isMissing)
})
