import { hasExactNumbers } from '@beak/proofs/exact-numbers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import numbers from '@/packages/contract/numbers.json'
import { type Line, linesIn, linesMax, linesOfParams, lookOf, paramsOfLines, readJson } from './lines'

const auto = (name: string, value: string): Line => ({ name, value, type: 'auto' })
const through = (params: unknown) => {
  const lines = linesOfParams(params)
  return lines === null ? null : paramsOfLines(lines)
}

it.each([
  ['pond', 'text'],
  ['', 'text'],
  ['12', 'number'],
  ['-1.5', 'number'],
  ['007', 'text'],
  ['1e400', 'text'],
  ['Infinity', 'text'],
  ['€4,800.00', 'amount'],
  ['4.800 €', 'amount'],
  ['12.50 EUR', 'amount'],
  ['Yes', 'yes_no'],
  ['false', 'yes_no'],
])('takes %j for %s', (value, look) => {
  expect(lookOf(value)).toBe(look)
})

describe('lines', () => {
  it('give values of the type that they look like, and leave out empty lines', () => {
    const lines = [auto('to', 'a@b.example'), auto('', ''), auto('count', '3'), auto('force', 'no')]
    expect(paramsOfLines([...lines, { name: 'note', value: 'no', type: 'text' }])).toEqual({
      params: { to: 'a@b.example', count: 3, force: false, note: 'no' },
    })
  })

  it.each([
    [[auto('a', '1'), auto('a', '2')], { fault: 'repeated', at: 1 }],
    [[auto('', '1')], { fault: 'unnamed', at: 0 }],
    [[{ name: 'a', value: '{', type: 'json' as const }], { fault: 'malformed', at: 0 }],
  ])('say which line is wrong: %j', (lines, fault) => {
    expect(paramsOfLines(lines)).toEqual(fault)
  })

  it('keep every value of JSON whose numbers JSON keeps', () => {
    const value = fc.jsonValue({ maxDepth: 3 }).filter(hasExactNumbers)
    const name = fc.string({ minLength: 1 }).filter((text) => !/[\n\r]/.test(text))
    fc.assert(
      fc.property(fc.dictionary(name, value, { maxKeys: 8 }), (given) => {
        const params = JSON.parse(JSON.stringify(given)) as object
        expect(JSON.stringify(through(params))).toBe(JSON.stringify({ params }))
      }),
      { numRuns: 200 },
    )
  })

  it('keep names that objects have by themselves', () => {
    const params = JSON.parse('{"__proto__": 1, "constructor": "x", "toString": true}') as object
    expect(JSON.stringify(through(params))).toBe(JSON.stringify({ params }))
  })

  it.each([[null], [[1]], ['text'], [{ '': 1 }], [{ 'two\nlines': 1 }]])('cannot say %j', (params) => {
    expect(linesOfParams(params)).toBeNull()
  })
})

describe('a number', () => {
  it.each(numbers)('$text is sent as it is or not at all: accepted $accepted', ({ text, accepted }) => {
    const json = `{"ids":[${text}]}`
    expect(readJson(json)).toEqual(
      accepted ? { value: JSON.parse(json) } : { fault: 'inexact', place: 'ids.0' },
    )
    const line: Line = { name: 'ids', value: `[${text}]`, type: 'json' }
    expect(paramsOfLines([line])).toEqual(
      accepted ? { params: JSON.parse(json) } : { fault: 'inexact', at: 0 },
    )
  })

  it.each(numbers.filter(({ accepted }) => !accepted))('$text in a line stays a text', ({ text }) => {
    expect(paramsOfLines([auto('id', text)])).toEqual({ params: { id: text } })
  })
})

describe('an attempt to send too much', () => {
  it.each(['[', '{"a":', '[['])('does not read a very long or deeply nested text of %j', (part) => {
    expect(readJson(part.repeat(1_000_000))).toEqual({ fault: 'malformed' })
    expect(readJson(`${'['.repeat(5000)}${']'.repeat(5000)}`)).toEqual({ fault: 'malformed' })
  })

  it('reads at most 40 lines of a form, and none of a form without lines', () => {
    expect(linesIn(() => 'x')).toHaveLength(linesMax)
    expect(linesIn(() => undefined)).toEqual([])
  })
})
