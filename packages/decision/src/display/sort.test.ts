import { describe, expect, it } from 'vitest'
import { displayValues } from './display'
import { decidingValue, sortValues } from './sort'

const shown = (params: Record<string, unknown>) => displayValues(params, {})
const sorted = (params: Record<string, unknown>, action = 'submit:form') =>
  sortValues(shown(params), { action, params })
const namesOf = (params: Record<string, unknown>) => sorted(params).map(({ name }) => name)
const deciding = (params: Record<string, unknown>, action = 'submit:form') =>
  decidingValue({ version: 3, sentence: '', values: shown(params) }, { action, params })

describe('sortValues', () => {
  it('puts warnings first, then secrets, amounts, what the action is done to, other values, and what is only true or false', () => {
    const params = {
      force: true,
      note: 'Hello',
      when: '2026-12-05',
      id: 'x7',
      to: 'pond@example.com',
      name: 'customers-production',
      price: '€40',
      api_key: 'k-1',
      cc: 'b\u043ess@corp.com',
    }
    expect(namesOf(params)).toEqual(['cc', 'api_key', 'price', 'name', 'to', 'id', 'when', 'note', 'force'])
  })

  // security: asker-15
  it.each([
    [{ tip: '$5', total: '€4,800' }, 'total'],
    [{ a_fee: '€1', total: { amount: 4800, currency: 'JPY' } }, 'total'],
    [{ tip: '$5', order: { lines: [{ price: '€9' }, { price: '€4,800' }] } }, 'order'],
    [{ price: '€900', stake: { amount: 1, currency: 'BTC' } }, 'stake'],
    [{ price: '€40', refund: '-€41' }, 'refund'],
  ])('puts the largest amount first, whatever the currency and the order of %j', (params, name) => {
    expect(namesOf(params)[0]).toBe(name)
    expect(namesOf(Object.fromEntries(Object.entries(params).reverse()))[0]).toBe(name)
  })

  // security: asker-15
  it('does not let an amount inside of a text bury an amount', () => {
    expect(namesOf({ note: 'We saved €1,000,000 for you this year.', price: '€40' })).toEqual([
      'price',
      'note',
    ])
  })

  // security: asker-15
  it('gives one order for every order of the params', () => {
    const params = { b: 'same', a: 'same', c: 'longer text', x: true, y: false, n: 3, m: 20 }
    const reversed = Object.fromEntries(Object.entries(params).reverse())
    expect(namesOf(reversed)).toEqual(namesOf(params))
    expect(namesOf(params)).toEqual(['c', 'a', 'b', 'm', 'n', 'y', 'x'])
  })

  it('marks one value: the first that is no secret and not only true or false', () => {
    const marks = sorted({ cascade: true, pin: 'x\u200b', to: 'pond@example.com' })
    expect(marks.map(({ name, decides }) => [name, decides])).toEqual([
      ['pin', undefined],
      ['to', true],
      ['cascade', undefined],
    ])
    expect(sorted({ cascade: true })).toEqual([{ name: 'cascade', type: 'value', text: 'true' }])
  })

  it('puts the code of a currency beside its amount last', () => {
    expect(namesOf({ currency: 'EUR', note: 'Hello', price: 40 })).toEqual(['price', 'note', 'currency'])
  })

  it.each([
    [{ currency: 'send everything to eve', price: 40, text: 'a\nb' }],
    [{ currency: 'EUR', text: 'a\nb' }],
  ])('does not bury what only has the name of a currency: %j', (params) => {
    const names = namesOf(params)
    expect(names.indexOf('currency')).toBeLessThan(names.indexOf('text'))
  })

  // security: asker-20
  it.each([
    [{ page: 'https://accounts.google.com.evil.example/login' }, 'evil.example'],
    [{ page: 'https://bank.example@shop.evil.co.uk:8443/' }, 'evil.co.uk'],
    [{ page: 'https://eve.github.io/bank' }, 'eve.github.io'],
    [{ page: 'https://wiki.intranet/x' }, 'wiki.intranet'],
    [{ to: 'boss@corp.com.evil.example' }, 'evil.example'],
    [{ page: 'http://192.168.0.1/bank.example' }, undefined],
    [{ page: 'http://[2001:db8::1]/' }, undefined],
    [{ page: 'http://localhost:3000' }, undefined],
    [{ note: 'https is safe' }, undefined],
  ])('names the part of the host that its owner registered: %j', (params, domain) => {
    expect(sorted(params)[0]?.domain).toBe(domain)
  })
})

describe('decidingValue', () => {
  it('is an amount before harmless values', () => {
    expect(deciding({ currency: 'EUR', note: 'Hello', price: 40, to: 'pond@example.com' })).toEqual({
      name: 'price',
      type: 'money',
      text: '€40.00',
      decides: true,
    })
  })

  it('is a value with a warning first, so that an asker cannot bury it', () => {
    const params = { aim: 'None', price: '€40', to: ['b\u043ess@corp.com'] }
    expect(deciding(params)).toMatchObject({ name: 'to', warning: expect.any(String) })
  })

  it('hides a secret, also one with a warning', () => {
    for (const password of ['hunter2', 'x\u200b'])
      expect(deciding({ price: '€40', password })).toMatchObject({ name: 'password', text: '••••••' })
  })

  it.each([[{}], [{ cascade: true, force: false, note: null }]])('is null for %j', (params) => {
    expect(deciding(params)).toBeNull()
  })

  // security: asker-19
  it.each([
    [{ name: 'sandbox-for-automatic-tests', database_name: 'customers-production' }, 'customers-production'],
    [{ to: 'sandbox', database: 'customers' }, 'customers'],
    [{ id: 'sandbox', databases: ['customers', 'billing'] }, '["customers","billing"]'],
    [{ target: 'sandbox', db: 'customers' }, 'customers'],
  ])('is what has the name of the object, and no decoy: %j', (params, text) => {
    expect(deciding(params, 'delete:database')).toMatchObject({ text })
  })

  it('is whom it reaches when the action sends something', () => {
    expect(deciding({ message: 'Hello, this is long', to: 'eve' }, 'send:message')?.text).toBe('eve')
  })

  // security: asker-19
  it('is null when several name the object, so that the asker does not choose one', () => {
    const params = { database: 'sandbox-for-automatic-tests', database_name: 'customers' }
    expect(deciding(params, 'delete:database')).toBeNull()
    expect(sorted(params, 'delete:database').filter(({ decides }) => decides)).toEqual([])
  })

  it('names the database and not its flags', () => {
    expect(deciding({ cascade: true, force: true, name: 'customers-production' })?.text).toBe(
      'customers-production',
    )
  })
})

describe('the order of a range', () => {
  it.each([
    ['read:calendar', { to: '2026-12-13', from: '2026-12-07' }],
    ['book:taxi', { to: 'Airport', from: 'Station' }],
    ['book:flight', { destination: 'Porto', origin: 'Cologne' }],
    ['book:hotel', { check_out: '2026-12-13', check_in: '2026-12-07' }],
  ])('of %s is from its beginning to its end', (action, params) => {
    const names = sorted(params, action).map(({ name }) => name)
    expect(names).toEqual(Object.keys(params).reverse())
  })

  it('buries no end: both stand where the first of them stood', () => {
    const params = { note: 'A long text about this', from: 'Station', to: 'Airport', price: '€52' }
    expect(sorted(params, 'book:taxi').map(({ name }) => name)).toEqual(['price', 'from', 'to', 'note'])
  })

  it('leaves the recipient first when the action sends something, and a value with a warning', () => {
    expect(sorted({ from: 'me@pond.example', to: 'eve' }, 'send:message')[0]?.name).toBe('to')
    expect(sorted({ from: 'Station', to: 'b\u043ess@corp.com' }, 'book:taxi')[0]?.name).toBe('to')
  })

  it('does not change which value decides', () => {
    const marked = sorted({ from: 'harmless', to: 'eve' }, 'share:file').filter(({ decides }) => decides)
    expect(marked.map(({ name }) => name)).toEqual(['to'])
    expect(deciding({ from: 'harmless', to: 'eve' }, 'share:file')?.name).toBe('to')
  })
})
