import { displayValues } from '@beak/decision/display/display'
import { sortValues } from '@beak/decision/display/sort'
import { describe, expect, it } from 'vitest'
import { barValuesOf } from './bar-values'

const barOf = (action: string, params: Record<string, unknown>) =>
  barValuesOf(action, sortValues(displayValues(params, {}), { action, params }))
const euros = (amount: number) => ({ amount, currency: 'EUR' })

describe('barValuesOf', () => {
  it('repeats the largest amount, and whom it reaches in full', () => {
    expect(barOf('pay:invoice', { fee: euros(2), amount: euros(45), to: 'ACME GmbH' })).toEqual({
      amount: '€45.00',
      recipient: 'ACME GmbH',
      isMarked: false,
    })
  })

  it('repeats the account that gets the money, before the name that is said to own it', () => {
    const iban = 'DE02120300000000202051'
    expect(barOf('transfer:money', { amount: euros(4800), iban })?.recipient).toBe(
      'DE02 1203 0000 0000 2020 51',
    )
    expect(barOf('transfer:money', { amount: euros(4800), iban, to: 'ACME' })?.recipient).toBe(
      'DE02 1203 0000 0000 2020 51, ACME',
    )
    expect(barOf('transfer:money', { amount: euros(4800), iban, to: 'A', cc: 'B' })?.recipient).toBeNull()
    expect(
      barOf('transfer:money', { amount: euros(4800), iban, payee_iban: 'DE89370400440532013000' })?.recipient,
    ).toBeNull()
    expect(barOf('transfer:money', { amount: euros(4800), from_iban: iban })?.recipient).toBeNull()
  })

  it('repeats the only recipient of a request without an amount, and nothing without one', () => {
    expect(barOf('send:mail', { to: 'pond@example.com' })).toEqual({
      amount: null,
      recipient: 'pond@example.com',
      isMarked: false,
    })
    expect(barOf('send:mail', { to: 'p\u0430ypal.com' })).toBeNull()
    expect(barOf('send:mail', { to: 'a@pond.example', cc: 'b@pond.example' })).toBeNull()
    expect(barOf('read:mail', { to: 'pond@example.com' })).toBeNull()
  })

  it('repeats no amount of several currencies, of which the larger figure may be worth less', () => {
    const deposit = { amount: 1000, currency: 'JPY' }
    expect(barOf('pay:invoice', { amount: euros(45), deposit, to: 'ACME GmbH' })).toBeNull()
  })

  it.each([
    { title: 'several recipients', params: { to: 'a@pond.example', cc: 'b@pond.example' } },
    { title: 'a recipient that would be cut', params: { to: 'pond '.repeat(20) } },
  ])('names no recipient, which could be the harmless one or its harmless half, of $title', ({ params }) => {
    expect(barOf('pay:invoice', { amount: euros(45), ...params })).toMatchObject({
      amount: '€45.00',
      recipient: null,
    })
  })

  it('repeats no value without its warning', () => {
    const marked = barOf('pay:invoice', { amount: euros(45), to: 'p\u0430ypal.com' })
    expect(marked).toEqual({ amount: null, recipient: null, isMarked: true })
  })

  it('shows hidden characters of a recipient', () => {
    const { recipient } = barOf('pay:invoice', { amount: euros(45), to: 'ACME\u200b' }) ?? {}
    expect(recipient ?? '').not.toContain('\u200b')
  })
})
