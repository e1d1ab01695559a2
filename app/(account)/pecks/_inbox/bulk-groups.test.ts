import { describe, expect, it } from 'vitest'
import { sumWords } from './bulk-groups'

const pay = (value: string, payee: string | null = null) => ({ value, isAmount: true, payee })

describe('sumWords', () => {
  it('returns the exact sum and the payees', () => {
    const rows = [pay('€122.39', 'Stadtwerke Bonn'), pay('€9.99', 'Hoster GmbH'), pay('€0.10', 'Hoster GmbH')]
    expect(sumWords(rows)).toBe('€132.48 to Stadtwerke Bonn and Hoster GmbH')
  })

  it.each([
    [['€0.10', '€0.20'], '€0.30'],
    [['€999.99', '€0.01'], '€1,000.00'],
    [['JPY 900', 'JPY 1,200'], 'JPY 2,100'],
    [['€5.00', 'US$5.00', '€1.00'], '€6.00 and US$5.00'],
    [['€5.00', '−€7.50'], '−€2.50'],
    [['CHF 5.00', 'CHF −7.50'], 'CHF −2.50'],
    [['40.00 (no currency named)', '2.00 (no currency named)'], '42.00 (no currency named)'],
    [['€9,007,199,254,740,993.01', '€0.01'], '€9,007,199,254,740,993.02'],
    [['BTC 0.5', 'BTC 0.25'], 'BTC 0.75'],
  ])('adds %j, each currency by itself', (amounts, sum) => {
    expect(sumWords(amounts.map((amount) => pay(amount)))).toBe(sum)
  })

  it('names no sum that leaves an amount out', () => {
    expect(sumWords([pay('€5.00'), pay('[{"amount":3}]')])).toBeNull()
    expect(sumWords([{ value: 'webshop', isAmount: false, payee: null }])).toBeNull()
  })

  it('names three payees and says that there are others', () => {
    const rows = ['A', 'B', 'C', 'D'].map((payee) => pay('€1.00', payee))
    expect(sumWords(rows)).toBe('€4.00 to A, B, C and others')
    expect(sumWords([pay('€1.00', 'A'), pay('€1.00')])).toBe('€2.00 to A and others')
  })
})
