import { describe, expect, it } from 'vitest'
import { keptAction, keptParts, keptText, withoutMarks } from './kept-values'

type Values = { name: string; action: string; count: number; risk: string }
const sentence = ({ name, action, count, risk }: Values) => `${name}: ${action}, ${count} (${risk})`
const values = { name: 'Teal', action: '“shop.order”', count: 2, risk: 'high' }

describe('keptText', () => {
  it('marks names and the name of an action, and no words and numbers', () => {
    const text = keptText(sentence, values)
    expect(keptParts(text)).toEqual(['', 'Teal', ': ', '“shop.order”', ', 2 (high)'])
    expect(withoutMarks(text)).toBe(sentence(values))
  })

  it('marks a name once that is isolated already, or that has marks in it', () => {
    for (const name of ['\u2068محمد\u2069', 'م\u2069حم\u2068د'])
      expect(keptParts(keptText(sentence, { ...values, name }))[1]).toBe('محمد')
  })
})

it.each([
  ['“order vegetable box”', true],
  ['“send: an email”', true],
  ['“shop.order”', true],
  ['Send an email', false],
  ['“Send an email”', false],
  ['send you a test request', false],
])('keptAction marks %s: %s', (words, isMarked) => {
  expect(keptAction(words) !== words).toBe(isMarked)
})
