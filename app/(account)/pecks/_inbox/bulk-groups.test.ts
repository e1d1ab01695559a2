import { describe, expect, it } from 'vitest'
import { asBeforeWords, recipientsOf, sumsOf } from './bulk-groups'

const pay = (value: string, payee: string | null = null) => ({ value, isAmount: true, payee })

describe('sumsOf', () => {
  it.each([
    [['€122.39', '€9.99', '€0.10'], ['€132.48']],
    [['€0.10', '€0.20'], ['€0.30']],
    [['€999.99', '€0.01'], ['€1,000.00']],
    [['JPY 900', 'JPY 1,200'], ['JPY\u00a02,100']],
    [
      ['€5.00', 'US$5.00', '€1.00'],
      ['€6.00', 'US$5.00'],
    ],
    [['€5.00', '−€7.50'], ['−€2.50']],
    [['CHF 5.00', 'CHF −7.50'], ['CHF\u00a0−2.50']],
    [['40.00 (no currency named)', '2.00 (no currency named)'], ['42.00 (no currency named)']],
    [['€9,007,199,254,740,993.01', '€0.01'], ['€9,007,199,254,740,993.02']],
    [['BTC 0.5', 'BTC 0.25'], ['BTC\u00a00.75']],
  ])('adds %j, each currency by itself', (amounts, sums) => {
    expect(sumsOf(amounts.map((amount) => pay(amount)))).toEqual(sums)
  })

  it('returns no sum that leaves an amount out', () => {
    expect(sumsOf([pay('€5.00'), pay('[{"amount":3}]')])).toEqual([])
    expect(sumsOf([{ value: 'webshop', isAmount: false }])).toEqual([])
  })
})

describe('recipientsOf', () => {
  const mail = (payee: string | null) => ({ isAmount: false, payee })

  it('names three recipients, counts the others, and has the list of all', () => {
    const some = (count: number) => ['A', 'B', 'C', 'D', 'E'].slice(0, count)
    expect(recipientsOf(some(2).map(mail))).toEqual({ words: 'to A and B', all: [] })
    expect(recipientsOf(some(4).map(mail))).toEqual({ words: 'to A, B, C and 1 other', all: some(4) })
    const paid = some(5).map((payee) => pay('€1.00', payee))
    expect(recipientsOf(paid)).toEqual({ words: 'to A, B, C and 2 others', all: some(5) })
  })

  it('says that some requests name nobody, and returns null when none does', () => {
    expect(recipientsOf([mail('A'), mail(null)])?.words).toBe('to A and some without a name')
    expect(recipientsOf([mail(null)])).toBeNull()
  })

  it('names only recipients of money beside a sum', () => {
    expect(recipientsOf([pay('€1.00', 'A'), mail('anna@example.com')])?.words).toBe('to A')
  })
})

describe('asBeforeWords', () => {
  it('says of a group that all, some or none of it is as before', () => {
    const [before, other] = [{ isAsBefore: true }, { isAsBefore: false }]
    expect(asBeforeWords([before, before])).toBe('As before')
    expect(asBeforeWords([before, other, other])).toBe('1 of 3 as before')
    expect(asBeforeWords([other])).toBeNull()
  })
})
