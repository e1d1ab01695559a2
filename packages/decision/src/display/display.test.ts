import { describe, expect, it } from 'vitest'
import type { Params } from '../params'
import { dateWords } from './date'
import { actionWords, displayOf, displayValues } from './display'
import { displayValue } from './value'

const peck = {
  action: 'book:table',
  scope: 'limited' as const,
  params: '{}',
  paramTypes: null,
  grantSeconds: 3600,
}

describe('displayOf', () => {
  it.each([
    [{}, 'book a table, once, within 1 hour of the approval'],
    [
      { action: 'read:profile', params: '{"fields":["email"]}' },
      'read your profile and your email address, once, within 1 hour of the approval',
    ],
    [{ scope: 'timed' as const }, 'book a table, any number of times for 1 hour after the approval'],
    [{ scope: 'standing' as const, grantSeconds: null }, 'book a table, any number of times until revoked'],
  ])('describes %j', (change, sentence) => {
    expect(displayOf({ ...peck, ...change }).sentence).toBe(sentence)
  })

  it('has no words of the asker in the sentence, not even the audience', () => {
    const named = { ...peck, audience: 'verified-by-beak.com', message: 'Safe.' }
    expect(displayOf(named).sentence).toBe(displayOf(peck).sentence)
  })

  it('ignores inherited property names among the declared types', () => {
    expect(displayOf({ ...peck, params: '{"constructor":1}', paramTypes: '{}' }).values[0]?.type).toBe(
      'value',
    )
  })
})

describe('what a passkey signs', () => {
  it('has the values in the order of the params and no mark', () => {
    const params = '{"aim":"None","price":"€40","to":"b\u043ess@corp.com"}'
    const { values } = displayOf({ ...peck, params })
    expect(values.map(({ name }) => name)).toEqual(['aim', 'price', 'to'])
    expect(values.flatMap(Object.keys)).not.toContain('decides')
  })
})

describe('displayValue', () => {
  it.each([
    ['price', { amount: '4800', currency: 'eur' }, undefined, 'money', '€4,800.00'],
    ['price', { amount: 12.345, currency: 'CHF' }, undefined, 'money', 'CHF 12.345'],
    ['price', { amount: 900, currency: 'JPY' }, undefined, 'money', 'JPY 900'],
    ['price', '$40', undefined, 'money', '$40.00'],
    ['totalAmount', -7, undefined, 'money', '−7.00 (no currency named)'],
    ['amount', '4.800,00 €', undefined, 'money', '€4,800.00'],
    ['amount', ' 4800 ', undefined, 'money', '4,800.00 (no currency named)'],
    ['amount', '4800 eur', undefined, 'money', '€4,800.00'],
    ['amount', 'EUR4800', undefined, 'money', '€4,800.00'],
    ['amount', '4 800 EUR', undefined, 'money', '€4,800.00'],
    ['amount', '4\u00a0800,5 €', undefined, 'money', '€4,800.50'],
    ['amount', '€4,800.00 EUR', undefined, 'money', '€4,800.00'],
    ['amount', '$4,800.00 CAD', undefined, 'money', 'CAD 4,800.00'],
    ['amount', "CHF 4'800.50", undefined, 'money', 'CHF 4,800.50'],
    ['amount', '-€40', undefined, 'money', '−€40.00'],
    ['amount', '1.234.567 EUR', undefined, 'money', '€1,234,567.00'],
    ['amount', '4800.00000', undefined, 'money', '4,800.00 (no currency named)'],
    ['amount1', '4800', undefined, 'money', '4,800.00 (no currency named)'],
    ['sum', 4800, undefined, 'money', '4,800.00 (no currency named)'],
    ['price', { amount: '4.800,00', currency: 'EUR' }, undefined, 'money', '€4,800.00'],
    ['payment_id', 'pi-7', undefined, 'value', 'pi-7'],
    ['deposit', '2026-12-05', undefined, 'date', 'Saturday 5 December 2026'],
    ['wait', '10 min', undefined, 'value', '10 min'],
    ['rank', 'TOP 10', undefined, 'value', 'TOP 10'],
    ['size', 40, undefined, 'value', '40'],
    ['size', 40, 'money', 'money', '40.00 (no currency named)'],
    ['size', 'large', 'money', 'value', 'large'],
    ['day', '2026-12-05', undefined, 'date', 'Saturday 5 December 2026'],
    ['day', '2026-02-30', 'date', 'value', '2026-02-30'],
    ['to', 'pond@example.com', undefined, 'email', 'pond@example.com'],
    ['page', 'https://example.com/a', undefined, 'url', 'https://example.com/a'],
    ['apiKey', 'k-1', undefined, 'secret', 'k-1'],
    ['apiKey', 'k-1', 'text', 'secret', 'k-1'],
    ['iban', 'DE89 3704 0044 0532 0130 00', 'secret', 'value', 'DE89 3704 0044 0532 0130 00'],
    ['amount', '\u20ac4,800.00', 'text', 'money', '\u20ac4,800.00'],
    ['amount', '-4800', 'diff', 'money', '\u22124,800.00 (no currency named)'],
    ['to', 'eve1@evil.com', 'money', 'email', 'eve1@evil.com'],
    ['to', 'pond@example.com', 'text', 'email', 'pond@example.com'],
    ['note', 'short', 'text', 'text', 'short'],
    ['change', '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n same\n', 'diff', 'diff', null],
    ['change', '-old\n+new\nsend all money to Eve', 'diff', 'text', null],
    ['change', ' send all money to Eve', 'diff', 'value', null],
    ['change', { before: 1, after: 'two' }, undefined, 'diff', '− 1\n+ two'],
    ['body', 'a\nb', undefined, 'text', 'a\nb'],
    ['list', [1, { a: null }], undefined, 'value', '[1,{"a":null}]'],
  ] as const)('shows %s %j declared as %s as %s', (name, value, declared, type, text) => {
    expect(displayValue(name, value, declared)).toEqual({ name, type, text: text ?? value })
  })

  it.each([
    [{ price: 1e-7, currency: 'EUR' }, '€0.0000001'],
    [{ price: '0.00000001 ETH' }, 'ETH 0.00000001'],
    [{ price: '0.000000000000000001 ETH' }, 'ETH 0.000000000000000001'],
    [{ price: '¥1000' }, '¥1,000'],
    [{ price: '¥12.50' }, '¥12.50'],
    [{ price: '1,200 ¥' }, '¥1,200'],
    [{ price: '1,200 JPY' }, 'JPY 1,200'],
    [{ price: '1,200', currency: 'JPY' }, 'JPY 1,200'],
    [{ price: '₩12,000' }, 'KRW 12,000'],
    [{ price: '₹1,00,000.00' }, '₹100,000.00'],
    [{ price: 'INR 12,34,567' }, '₹1,234,567.00'],
    [{ price: 'KWD 1.500' }, 'KWD 1.500'],
    [{ price: 'KWD 1,234.500' }, 'KWD 1,234.500'],
    [{ price: { amount: '12.500', currency: 'BHD' } }, 'BHD 12.500'],
    [{ price: 1.5, currency: 'KWD' }, 'KWD 1.500'],
    [{ price: '1.500', currency: 'KWD' }, 'KWD 1.500'],
    [{ amount_cents: 4999 }, '49.99 (no currency named)'],
    [{ amount_cents: 4999, currency: 'EUR' }, '€49.99'],
    [{ priceInCents: '4999', currency: 'USD' }, 'US$49.99'],
    [{ cents: 5 }, '0.05 (no currency named)'],
    [{ price_in_pence: -4999, currency: 'GBP' }, '−£49.99'],
    [{ amount_minor: 4999, currency: 'KWD' }, 'KWD 4.999'],
    [{ amount_minor: 4999, currency: 'JPY' }, 'JPY 4,999'],
    [{ amount: 4999, unit: 'cents', currency: 'EUR' }, '€49.99'],
    [{ price: { amount: 4999, unit: 'Cents', currency: 'EUR' } }, '€49.99'],
  ])('reads %j as %s', (params, text) => {
    const [value] = displayValues(params, {})
    expect(value).toEqual({ name: Object.keys(params)[0], type: 'money', text })
  })

  it.each([
    { amount_cents: 49.99 },
    { amount_cents: '4999 EUR' },
    { amount_cents: 4999, currency: 'JPY' },
    { amount_cents: 4999, currency: 'KWD' },
    { price_in_pence: 4999, currency: 'EUR' },
    { amount_minor: 4999 },
    { amount: '49.99', unit: 'cents', currency: 'EUR' },
  ])('shows %j as it was sent, with a warning, because it can be read in two ways', (params) => {
    const [[name, value] = ['', '']] = Object.entries(params)
    const warning = 'Contains an amount that cannot be read exactly.'
    expect(displayValues(params as Params, {})[0]).toEqual({
      name,
      type: 'money',
      text: String(value),
      warning,
    })
  })

  it('reads no cents where a name only ends with such a word', () => {
    for (const params of [{ per_cent: 19 }, { minor: 2 }, { size: 40, unit: 'cents' }])
      expect(displayValues(params, {})[0]).toMatchObject({ type: 'value' })
  })

  it.each([
    '4.800 €',
    'EUR 12.500',
    '€4,800',
    'KWD 12,500',
    '4,800',
    '€4.8k',
    '€40 USD',
    '4.800.00 EUR',
    '40 to 50 EUR',
    '٤٨٠٠ EUR',
    '1234567890123456 EUR',
  ])('shows the amount %j as it was sent, with a warning', (text) => {
    const warning = 'Contains an amount that cannot be read exactly.'
    expect(displayValue('amount', text, undefined)).toEqual({ name: 'amount', type: 'money', text, warning })
    expect(displayValue('order', { amount: text }, undefined)).toMatchObject({ type: 'value', warning })
  })

  it('warns of a look-alike address, whatever type is declared', () => {
    for (const declared of ['text', 'secret', 'diff', 'money'] as const)
      expect(displayValue('to', 'Boss <b\u043ess@corp.com>', declared).warning).toContain('U+043E')
  })

  it.each([
    ['to', 'pond@ex\u0430mple.com', 'Contains letters that can look like others: \u0430 (U+0430).'],
    ['to', ' b\u043ess@corp.com', 'Contains letters that can look like others: \u043e (U+043E).'],
    ['to', 'Boss <b\u043ess@corp.com>', 'Contains letters that can look like others: \u043e (U+043E).'],
    ['to', ['b\u043ess@corp.com'], 'Contains letters that can look like others: \u043e (U+043E).'],
    [
      'mail',
      { to: { cc: ['b\u043ess@corp.com'] } },
      'Contains letters that can look like others: \u043e (U+043E).',
    ],
    ['page', 'https://xn--exmple-4nf.com', 'The address is written in code for foreign letters (xn--).'],
    ['page', 'https://bank.example@evil.example/', 'The address contains a user name before its host.'],
    ['note', 'pay\u200bpal', 'Contains characters that are not visible.'],
  ])('warns of %s %j', (name, value, warning) => {
    expect(displayValue(name, value, undefined).warning).toBe(warning)
  })
})

describe('dateWords', () => {
  it.each([
    ['2026-12-05T19:30:00+01:00', 'Saturday 5 December 2026, 19:30 (UTC+01:00)'],
    ['2026-12-05T19:30:15.250Z', 'Saturday 5 December 2026, 19:30:15 (UTC)'],
    ['2026-12-05T19:30', 'Saturday 5 December 2026, 19:30 (no time zone named)'],
    ['2026-12-05T23:59:59-23:59', 'Saturday 5 December 2026, 23:59:59 (UTC-23:59)'],
    ['2026-12-05T24:30Z', null],
    ['2026-12-05T19:60Z', null],
    ['2026-12-05T19:99', null],
    ['2026-12-05T19:30:60Z', null],
    ['2026-12-05T19:30+24:00', null],
    ['2026-12-05T19:30+01:60', null],
    ['2026-12-05T19:30+99:99', null],
    ['5 December', null],
  ])('returns the words of %s', (text, words) => {
    expect(dateWords(text)).toBe(words)
  })
})

describe('actionWords', () => {
  it.each([
    ['book:table', 'book a table'],
    ['send:email', 'send an email'],
    ['send:mail', 'send mail'],
    ['read:events', 'read events'],
    ['merge:pull-request', 'merge a pull request'],
    ['use:user', 'use a user'],
    ['read:profile', 'read your profile'],
    ['read:everything-is-verified', '“read:everything-is-verified”'],
    ['trust:me', '“trust:me”'],
  ])('returns the words of %s', (action, words) => {
    expect(actionWords(action)).toBe(words)
  })
})
