import { exactJson } from '@beak/proofs/exact-numbers'
import { describe, expect, it } from 'vitest'
import numbers from '../../../contract/numbers.json'
import { plainJson } from './plain-json'

class Price {
  amount = 5
}
const digits = 'must be a string: JSON numbers do not keep so many digits.'

describe('plainJson', () => {
  it.each(numbers.filter((number) => !('lost_in_value' in number)))(
    'reads $text as the service does: accepted $accepted',
    ({ text, accepted }) => {
      const value = { a: [{ b: JSON.parse(text) }] }
      if (accepted) expect(plainJson(value, 'params')).toEqual(value)
      else
        expect(() => plainJson(value, 'params')).toThrow(/^params\.a\.0\.b (must be a string|is -?Infinity)/)
    },
  )

  // security: agent-5
  it.each<[string, unknown, string]>([
    ['a BigInt', 5n, digits],
    ['a number that is none', Number.NaN, 'is NaN, which JSON does not have.'],
    ['an infinite number', Number.NEGATIVE_INFINITY, 'is -Infinity, which JSON does not have.'],
    ['an integer above 2^53 - 1', 2 ** 53, digits],
    ['a Map', new Map([['a', 1]]), 'is a Map, which'],
    ['a Set', new Set([1]), 'is a Set, which'],
    ['an instance of a class', new Price(), 'is a Price, which'],
    ['a number as an object', Object(5), 'is a Number, which'],
    ['bytes', Buffer.from('a'), 'is a Buffer, which'],
    ['a list of bytes', new Uint8Array(1), 'is a Uint8Array, which'],
    ['an invalid date', new Date(Number.NaN), 'is a Date, which'],
    ['a regular expression', /a/, 'is a RegExp, which'],
    ['a promise', Promise.resolve(1), 'is a Promise, which'],
    ['a function', () => 1, 'is a function, which'],
    ['a symbol', Symbol('a'), 'is a symbol, which'],
  ])('refuses %s and names its place', (_, value, message) => {
    for (const [given, place] of [
      [{ a: { b: value } }, 'params.a.b'],
      [{ a: [0, value] }, 'params.a.1'],
    ] as const) {
      expect(() => plainJson(given, 'params')).toThrow(TypeError)
      expect(() => plainJson(given, 'params')).toThrow(`${place} ${message}`)
    }
  })

  it('refuses what a list would lose, names that are symbols, and values that hold themselves', () => {
    expect(() => plainJson([1, undefined], 'list')).toThrow('list.1 is undefined')
    // biome-ignore lint/suspicious/noSparseArray: an empty place
    expect(() => plainJson([1, , 2], 'list')).toThrow('list.1 is undefined')
    expect(() => plainJson({ [Symbol('a')]: 1 }, 'params')).toThrow('A name in params is a symbol')
    const own: Record<string, unknown> = {}
    own.own = own
    expect(() => plainJson(own, 'params')).toThrow('is nested too deep')
  })

  it('sends the same as JSON.stringify for all other values', () => {
    const value = {
      text: '9007199254740993',
      none: null,
      left: undefined,
      list: [true, -0, 0.1],
      date: new Date(0),
      address: new URL('https://a.example/'),
      bare: Object.assign(Object.create(null), { a: 1 }),
      inner: JSON.parse('{"__proto__":{"a":1}}'),
    }
    expect(JSON.stringify(plainJson(value, ''))).toBe(JSON.stringify(value))
  })
})

describe('exactJson', () => {
  it.each(numbers)('reads $text: accepted $accepted', ({ text, accepted }) => {
    const json = `{"a":[${text}]}`
    if (accepted) expect(exactJson(json)).toEqual(JSON.parse(json))
    else expect(() => exactJson(json)).toThrow(new RangeError(`a.0 ${digits}`))
  })
})
