import { describe, expect, it } from 'vitest'
import { favourIn, favourRefusal } from './favour-in'

const formOf = (fields: Record<string, string>) => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return form
}
const read = (fields: Record<string, string>) => favourIn(formOf(fields))

describe('favourIn', () => {
  it('returns the sentence as one line, without what nobody sees', () => {
    expect(read({ favour: '  lend me\r\n your \u202ecar\u200b \ufeff' })).toEqual({
      favour: 'lend me your car',
    })
  })

  it('keeps emoji of several parts', () => {
    expect(read({ favour: 'for 👨‍👩‍👧' })).toEqual({ favour: 'for 👨‍👩‍👧' })
  })

  it('reads an amount as people write it, and takes a currency only with an amount', () => {
    expect(read({ favour: 'x', amount: '12,50', currency: 'CHF' })).toMatchObject({
      amount: '12.50',
      currency: 'CHF',
    })
    expect(read({ favour: 'x', amount: '40', currency: 'Euros' })).toMatchObject({ currency: 'EUR' })
    expect(read({ favour: 'x', currency: 'CHF' })).toEqual({ favour: 'x' })
  })

  it.each([
    [{ favour: ' \u200b ' }, 'favour'],
    [{ favour: 'x', amount: '1.250,00' }, 'amount'],
    [{ favour: 'x', amount: 'a lot' }, 'amount'],
    [{ favour: 'x', date: 'Sunday' }, 'date'],
  ])('names the field that is wrong: %o', (fields, field) => {
    expect(read(fields as Record<string, string>)).toMatchObject({ errors: [{ field }] })
  })
})

describe('favourRefusal', () => {
  const problem = { status: 429, code: 'E4004', detail: 'This duckling …', action: '' } as const

  it('says in words for a person why a request is refused', () => {
    const { detail } = favourRefusal({ ...problem, reason: 'peck_recently_rejected' })
    expect(detail).toBe('They rejected a request of yours a moment ago. You can ask again in an hour.')
  })

  it('puts a fault of the params beside the sentence', () => {
    const errors = [{ field: 'params', message: 'of ask:favour are …' }]
    expect(favourRefusal({ ...problem, reason: 'invalid_request', errors }).errors).toMatchObject([
      { field: 'favour' },
    ])
  })
})
