import { expect, it } from 'vitest'
import type { DisplayValue } from '../_peck/reads'
import { sortValues } from './sort-values'

it('puts money first, then whom it reaches and what has a warning, and keeps the order of one type', () => {
  const value = (name: string, type: DisplayValue['type']): DisplayValue => ({ name, type, text: '' })
  const values = [
    value('b', 'value'),
    value('a', 'value'),
    value('key', 'secret'),
    value('to', 'email'),
    value('price', 'money'),
    { ...value('cc', 'text'), warning: 'Contains letters that can look like others.' },
  ]
  expect(sortValues(values).map(({ name }) => name)).toEqual(['price', 'to', 'cc', 'b', 'a', 'key'])
})
