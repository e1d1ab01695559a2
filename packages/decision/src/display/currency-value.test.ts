import { describe, expect, it } from 'vitest'
import { isCurrencyOfAmount } from './currency-value'

describe('isCurrencyOfAmount', () => {
  const amount = { name: 'amount', type: 'money', text: '€500.00' }
  const currency = { name: 'currency', type: 'text', text: 'EUR' }

  it('is true only for the code of a currency beside an amount', () => {
    expect(isCurrencyOfAmount(currency, [amount, currency])).toBe(true)
    expect(isCurrencyOfAmount(currency, [currency])).toBe(false)
    expect(isCurrencyOfAmount(amount, [amount, currency])).toBe(false)
    expect(isCurrencyOfAmount({ ...currency, text: 'euros only' }, [amount])).toBe(false)
    expect(isCurrencyOfAmount({ ...currency, warning: 'odd' }, [amount])).toBe(false)
  })
})
