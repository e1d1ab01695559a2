/** Generated histories: what differs in anything that decides is not as before. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareWith, type Earlier } from './as-before'
import { paramsText } from './params'

type Value = string | number | boolean | null | { amount: number; currency: string } | string[]
type Values = Record<string, Value>

const today = new Date('2026-11-30T10:00:00Z')
const daysAgo = (days: number) => new Date(today.getTime() - days * 86_400_000)
const request = (params: Values, change: Partial<Earlier> = {}): Earlier => ({
  scope: 'limited',
  params: paramsText(params),
  paramTypes: null,
  audience: null,
  message: null,
  grantSeconds: 86_400,
  createdAt: today,
  decidedAt: today,
  ...change,
})

/** Targets as people and programs write them, and letters that look alike, digits of other scripts and words that change with their case. */
const target = fc.oneof(
  fc.constantFrom(
    'webshop',
    'Webshop',
    'ｗebshop',
    'straße',
    'strasse',
    'STRASSE',
    'bob@example.com',
    'firma/webshop',
    '٣',
    '3',
  ),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
)
const money = fc.record({
  amount: fc.integer({ min: 0, max: 9999 }),
  currency: fc.constantFrom('EUR', 'USD', 'CHF'),
})
const value: fc.Arbitrary<Value> = fc.oneof(
  target,
  money,
  fc.boolean(),
  fc.integer({ min: 0, max: 3 }),
  fc.array(target, { maxLength: 2 }),
  fc.constant(null),
)
const values = fc.dictionary(fc.constantFrom('to', 'service', 'To', 'branch', 'options'), value, {
  maxKeys: 4,
})

const isMoney = (one: Value | undefined): one is { amount: number; currency: string } =>
  typeof one === 'object' && one !== null && 'amount' in one
const moneyIn = (params: Values) => Object.entries(params).filter(([, one]) => isMoney(one))

/** Whether both have the same names and values, apart from the number of an amount. Written again here, so that it proves something. */
function isSame(left: Values, right: Values): boolean {
  const names = Object.keys(left).sort()
  if (JSON.stringify(names) !== JSON.stringify(Object.keys(right).sort())) return false
  return names.every((name) => {
    const [one, other] = [left[name], right[name]]
    if (isMoney(one) && isMoney(other)) return one.currency === other.currency
    return JSON.stringify(one) === JSON.stringify(other)
  })
}

describe('a request', () => {
  it('is never as before when anything differs that decides, or an amount is larger', () => {
    const histories = fc.array(values, { maxLength: 8 })
    fc.assert(
      fc.property(values, histories, fc.nat(3), (params, others, copies) => {
        const history = [...others, ...Array.from({ length: copies }, () => params)]
        const found = compareWith(
          request(params),
          history.map((one) => request(one)),
        )
        const alike = history.filter((one) => isSame(one, params))
        const isSmall = alike.some((other) =>
          moneyIn(params).every(([name, one]) => {
            const earlier = other[name]
            return isMoney(one) && isMoney(earlier) && one.amount <= earlier.amount
          }),
        )
        expect(found !== null).toBe(alike.length >= 3 && isSmall)
        if (found !== null) expect(found.count).toBe(alike.length)
      }),
      { numRuns: 2000 },
    )
  })

  const swapped = (text: string) => (text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase())
  const fullWidth = (text: string) =>
    text.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0))
  const arabic = (text: string) => text.replace(/\d/g, (digit) => String.fromCharCode(Number(digit) + 0x660))
  const cyrillic = (text: string) => text.replace(/a/g, 'а').replace(/e/g, 'е').replace(/o/g, 'о')

  it.each([
    ['in another case', swapped],
    ['in full width', fullWidth],
    ['with digits of another script', arabic],
    ['with letters that look alike', cyrillic],
    ['decomposed', (text: string) => text.normalize('NFD')],
    ['with a blank at its end', (text: string) => `${text} `],
    ['with a character that nobody sees', (text: string) => `${text}\u200b`],
  ])('to a target %s is not as before', (_, change) => {
    fc.assert(
      fc.property(target, fc.integer({ min: 3, max: 6 }), (to, count) => {
        fc.pre(change(to) !== to)
        const history = Array.from({ length: count }, () => request({ to }))
        expect(compareWith(request({ to }), history)).toMatchObject({ count })
        expect(compareWith(request({ to: change(to) }), history)).toBeNull()
      }),
    )
  })

  it.each<[string, Values]>([
    ['a larger amount', { to: 'bob', price: { amount: 51, currency: 'EUR' } }],
    ['another currency', { to: 'bob', price: { amount: 10, currency: 'USD' } }],
    ['a unit', { to: 'bob', price: { amount: 1000, currency: 'EUR', unit: 'cents' } as Value }],
    ['an amount in another form', { to: 'bob', price: '10 EUR' }],
    ['an amount below zero', { to: 'bob', price: { amount: -10, currency: 'EUR' } }],
    ['no amount', { to: 'bob' }],
    ['another param', { to: 'bob', price: { amount: 10, currency: 'EUR' }, express: true }],
    ['another name', { To: 'bob', price: { amount: 10, currency: 'EUR' } }],
  ])('with %s is not as before', (_, params) => {
    const paid = (amount: number) => request({ to: 'bob', price: { amount, currency: 'EUR' } })
    const history = [paid(10), paid(50), paid(20)]
    expect(compareWith(paid(50), history)).toMatchObject({ largest: { amount: 50, currency: 'EUR' } })
    expect(compareWith(request(params), history)).toBeNull()
  })

  it('is not as before with amounts or days that only several approvals together had', () => {
    const euros = (amount: number) => ({ amount, currency: 'EUR' })
    const paid = (price: number, tip: number) => request({ price: euros(price), tip: euros(tip) })
    const tips = [paid(50, 1), paid(1, 50), paid(1, 1)]
    expect(compareWith(paid(50, 1), tips)).not.toBeNull()
    expect(compareWith(paid(50, 50), tips)).toBeNull()
    const stay = (from: string, to: string) => request({ from, to })
    const stays = [
      stay('2026-12-01', '2026-12-02'),
      stay('2026-12-08', '2026-12-09'),
      stay('2026-12-01', '2026-12-02'),
    ]
    expect(compareWith(stay('2026-12-08', '2026-12-09'), stays)).not.toBeNull()
    expect(compareWith(stay('2026-12-01', '2026-12-09'), stays)).toBeNull()
    const plan = (price: number, until: string) => request({ price: euros(price), until })
    const plans = [plan(50, '2026-12-01'), plan(1, '2026-12-30'), plan(1, '2026-12-30')]
    expect(compareWith(plan(1, '2026-12-15'), plans)).not.toBeNull()
    expect(compareWith(plan(50, '2026-12-01'), plans)).not.toBeNull()
    expect(compareWith(plan(50, '2026-12-30'), plans)).toBeNull()
    expect(compareWith(plan(2, '2026-12-02'), plans)).toBeNull()
  })

  it.each<[string, Partial<Earlier>]>([
    ['a longer permission', { grantSeconds: 90_000 }],
    ['another scope', { scope: 'timed' }],
    ['another message', { message: 'Please hurry' }],
    ['another audience', { audience: 'shop.example' }],
    ['other declared types', { paramTypes: '{"to":"email"}' }],
  ])('with %s is not as before', (_, change) => {
    const history = Array.from({ length: 3 }, () => request({ to: 'bob' }))
    expect(compareWith(request({ to: 'bob' }, change), history)).toBeNull()
  })

  it('may be for another day only as far from its own day as before', () => {
    const on = (date: string, createdAt: Date) => request({ date }, { createdAt })
    const history = [
      on('2026-11-21', daysAgo(10)),
      on('2026-11-15', daysAgo(18)),
      on('2026-11-20', daysAgo(11)),
    ]
    expect(compareWith(on('2026-12-02', today), history)).toMatchObject({ count: 3 })
    expect(compareWith(on('2026-12-04', today), history)).toBeNull()
    expect(compareWith(on('2026-11-30', today), history)).toBeNull()
    expect(compareWith(on('2026-12-02T10:00Z', today), history)).toBeNull()
  })

  it('gains nothing by repetition: a chain of approvals as before never passes the largest amount', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(200), { minLength: 5, maxLength: 40 }), (amounts) => {
        const history = [40, 60, 50].map((amount) => request({ price: { amount, currency: 'EUR' } }))
        for (const amount of amounts) {
          const next = request({ price: { amount, currency: 'EUR' } })
          if (compareWith(next, history) !== null) history.push(next)
        }
        for (const { params } of history) expect(JSON.parse(params).price.amount).toBeLessThanOrEqual(60)
      }),
    )
  })
})
