import { expect, it } from 'vitest'
import { type AskerCard, askedWords, decisionWords } from './card'

it.each([
  [{ approved: 0, rejected: 0, revoked: 0 }, 'You have not approved or rejected anything from them.'],
  [{ approved: 1, rejected: 0, revoked: 0 }, 'You approved 1 request and rejected 0.'],
  [
    { approved: 4, rejected: 2, revoked: 1 },
    'You approved 4 requests, of which 1 ended early, and rejected 2.',
  ],
  [
    { approved: 150, rejected: 2, revoked: 0, counted_all: false },
    'You approved 150 requests and rejected 2, among their newest 200 requests.',
  ],
  [
    { approved: 1, rejected: 0, revoked: 0, by_rules: { approved: 7, rejected: 1 } },
    'You approved 1 request and rejected 0. Your rules approved 7 and rejected 1.',
  ],
])('says for %j: %s', (card, words) => {
  const none = { approved: 0, rejected: 0 }
  expect(decisionWords({ counted_all: true, by_rules: none, ...card } as AskerCard)).toBe(words)
})

it('says how often an agent asked, and how often the viewer or a rule approved', () => {
  const words = (asked: number, approved: number, approved_by_rule = 0) =>
    askedWords({ asked, approved, approved_by_rule })
  expect(words(1, 0)).toBe('Asked once, you approved none so far')
  expect(words(1400, 12)).toBe('Asked 1,400 times, you approved 12')
  expect(words(14, 5, 7)).toBe('Asked 14 times, you approved 5, your rules 7')
})
