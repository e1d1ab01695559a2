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
])('says for %j: %s', (card, words) => {
  expect(decisionWords({ counted_all: true, ...card } as AskerCard)).toBe(words)
})

it('says how often an agent asked, and how often the viewer approved', () => {
  expect(askedWords({ asked: 1, approved: 0 })).toBe('Asked once, you approved none')
  expect(askedWords({ asked: 1400, approved: 12 })).toBe('Asked 1,400 times, you approved 12')
})
