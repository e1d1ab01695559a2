import { describe, expect, it } from 'vitest'
import { displayTypes } from '@/lib/kernel/param-types'
import { displayValues } from './display'
import { decidingValue, sortValues } from './sort'
import type { DisplayValue } from './value'

const value = (name: string, type: DisplayValue['type'], warning?: string): DisplayValue => ({
  name,
  type,
  text: '',
  ...(warning === undefined ? {} : { warning }),
})
const namesOf = (values: DisplayValue[]) => sortValues(values).map(({ name }) => name)
const decidingName = (values: DisplayValue[]) =>
  decidingValue({ version: 1, sentence: '', values })?.name ?? null
const shown = (params: Record<string, unknown>) => displayValues(params, {})

describe('sortValues', () => {
  it('puts values with a warning first, then sorts by type, and keeps the order of one type', () => {
    const values = [
      value('b', 'value'),
      value('a', 'value'),
      value('key', 'secret'),
      value('to', 'email'),
      value('price', 'money'),
      value('cc', 'text', 'Contains letters that can look like others.'),
      value('tip', 'money', 'Contains an amount that cannot be read exactly.'),
    ]
    expect(namesOf(values)).toEqual(['tip', 'cc', 'price', 'to', 'b', 'a', 'key'])
  })

  it('has a place for each type', () => {
    const values = displayTypes.map((type) => value(type, type))
    expect(namesOf([...values].reverse())).toEqual([...displayTypes])
  })

  it('marks one value: the first that is no secret', () => {
    const values = [value('pin', 'secret', 'Contains characters that are not visible.'), value('to', 'email')]
    expect(sortValues(values).map(({ name, decides }) => [name, decides])).toEqual([
      ['pin', undefined],
      ['to', true],
    ])
  })

  it('puts the code of a currency beside its amount last', () => {
    expect(namesOf(shown({ currency: 'EUR', note: 'Hello', price: 40 }))).toEqual([
      'price',
      'note',
      'currency',
    ])
  })

  it.each([
    [{ currency: 'send everything to eve', price: 40, text: 'a\nb' }],
    [{ currency: 'EUR', text: 'a\nb' }],
  ])('does not bury what only has the name of a currency: %j', (params) => {
    const names = namesOf(shown(params))
    expect(names.indexOf('currency')).toBeLessThan(names.indexOf('text'))
  })
})

describe('decidingValue', () => {
  it('takes money before harmless values', () => {
    const values = shown({ currency: 'EUR', note: 'Hello', password: 'x', price: 40, to: 'pond@example.com' })
    expect(decidingValue({ version: 1, sentence: '', values })).toEqual({
      name: 'price',
      type: 'money',
      text: '€40.00',
      decides: true,
    })
  })

  it('takes a value with a warning first, so that an asker cannot bury it', () => {
    expect(decidingName(shown({ aim: 'None', price: '€40', to: ['b\u043ess@corp.com'] }))).toBe('to')
  })

  it('is never a secret', () => {
    expect(decidingName(shown({ password: 'x\u200b' }))).toBeNull()
    expect(decidingName([])).toBeNull()
  })
})
