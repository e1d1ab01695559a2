import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import numbers from '@/packages/contract/numbers.json'
import { inexactNumbersIn } from './exact-numbers'

/** Returns the digits of a number without zeros at both ends, and its exponent. */
function decimalOf(text: string): string {
  const [, whole = '', decimals = '', exponent = '0'] =
    /^-?(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? []
  const digits = BigInt(whole + decimals)
  if (digits === 0n) return '0'
  let [rest, power] = [digits, BigInt(exponent) - BigInt(decimals.length)]
  for (; rest % 10n === 0n; rest /= 10n) power += 1n
  return `${rest}e${power}`
}

/** The rule in words, without a thought for time. */
function isExact(text: string): boolean {
  const number = Number(text)
  const isTooLarge = Number.isInteger(number) && Math.abs(number) >= 2 ** 53
  return Number.isFinite(number) && !isTooLarge && decimalOf(text) === decimalOf(String(number))
}

const digits = (least: number, most: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: least, maxLength: most })
const whole = fc.oneof(
  digits(1, 22).map((text) => text.replace(/^0+(?=\d)/, '')),
  fc.bigInt({ min: 2n ** 53n - 20n, max: 2n ** 53n + 20n }).map(String),
)
/** Numbers as JSON writes them: near 2^53, with many digits, with zeros at the end, with exponents. */
const written = fc
  .tuple(
    fc.constantFrom('', '-'),
    whole,
    fc.option(digits(1, 22), { nil: '' }),
    fc.constantFrom('', 'e', 'E', 'e+', 'e-'),
    fc.oneof(fc.nat(20), fc.nat(340)),
  )
  .map(
    ([sign, before, after, mark, exponent]) =>
      `${sign}${before}${after === '' ? '' : `.${after}`}${mark === '' ? '' : mark + exponent}`,
  )

describe('inexactNumbersIn', () => {
  it('has a table of 40 numbers that says what the rule says', () => {
    expect(numbers).toHaveLength(40)
    expect(numbers.filter(({ text, accepted }) => isExact(text) !== accepted)).toEqual([])
  })

  // security: agent-5
  it('finds exactly the numbers that the rule refuses', () => {
    const shortest = fc.double({ noNaN: true, noDefaultInfinity: true }).map(String)
    fc.assert(
      fc.property(fc.oneof(written, shortest), (text) => {
        expect([text, inexactNumbersIn(text).length === 0]).toEqual([text, isExact(text)])
      }),
      { numRuns: 2000 },
    )
  })

  it('names the place of each, whatever stands around them', () => {
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom(9007199254740992, 1e21, 5, 'a"9007199254740993\\', true, null),
        fc.array(tie('any'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom('a', '1e99', '"', '\\', 'ü'), tie('any'), { maxKeys: 3 }),
      ),
    })).any
    const placesIn = (inner: unknown, place: string[]): string[] => {
      if (typeof inner === 'number') return Number.isSafeInteger(inner) ? [] : [place.join('.')]
      if (typeof inner !== 'object' || inner === null) return []
      return Object.entries(inner).flatMap(([name, one]) => placesIn(one, [...place, name]))
    }
    fc.assert(
      fc.property(value, fc.constantFrom(0, 2), (tree, space) => {
        expect(inexactNumbersIn(JSON.stringify(tree, null, space), 1000)).toEqual(placesIn(tree, []))
      }),
    )
  })

  it('stops at the most faults, and shortens long places', () => {
    const ids = Array(50).fill('9007199254740993').join()
    expect(inexactNumbersIn(`[${ids}]`)).toHaveLength(20)
    expect(inexactNumbersIn(`{"${'x'.repeat(60_000)}":1e99}`)[0]).toHaveLength(201)
  })
})
