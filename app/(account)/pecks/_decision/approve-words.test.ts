import { actionWords } from '@beak/decision/display/display'
import { describe, expect, it } from 'vitest'
import type { DisplayValue } from '../_peck/reads'
import { requestWords } from '../_peck/request-words'

const words = (
  action: string,
  ...values: (Pick<DisplayValue, 'name' | 'text'> & Partial<DisplayValue>)[]
) => {
  const display = {
    version: 1,
    sentence: `${actionWords(action)}, once, within 1 hour of the approval`,
    values: values.map((value) => ({ type: 'value' as const, ...value })),
  }
  const { before, value, after } = requestWords({ action, params: {} }, { display }).approve
  return [before, value, after].filter(Boolean).join(' ')
}

describe('the button that approves', () => {
  it('names what the action is done to', () => {
    const name = { name: 'name', text: 'customers-production' }
    expect(words('delete:database', name)).toBe('delete the database “customers-production”')
    expect(words('grant:access', { name: 'to', type: 'email', text: 'eve@evil.example' })).toBe(
      'grant access to “eve@evil.example”',
    )
    expect(words('delete:database', { name: 'database_name', text: 'crm' })).toBe('delete the database “crm”')
    expect(words('delete:database')).toBe('delete a database')
  })

  it('does not name the whole by a part of it', () => {
    for (const name of ['table', 'environment', 'table_name'])
      expect(words('delete:database', { name, text: 'users' })).toBe('delete a database')
  })

  // security: asker-19
  it.each([
    ['two names', { name: 'name', text: 'sandbox' }, { name: 'database_name', text: 'customers-production' }],
    ['a short name', { name: 'id', text: 'sandbox' }, { name: 'db', text: 'customers-production' }],
    [
      'an unfit name',
      { name: 'name', text: 'sandbox' },
      { name: 'database', text: 'c\u200bx', warning: 'Hidden.' },
    ],
    ['a list', { name: 'id', text: 'sandbox' }, { name: 'databases', text: '["customers","billing"]' }],
    ['a recipient', { name: 'to', text: 'sandbox' }, { name: 'database', text: 'customers' }],
  ])('names nothing when the asker could choose what: %s', (_, decoy, real) => {
    expect(words('delete:database', decoy, real)).toBe('delete a database')
    expect(words('delete:database', real, decoy)).toBe('delete a database')
  })

  it('says "to" only after verbs that send something', () => {
    const to = { name: 'to', text: 'sandbox' }
    expect(words('delete:database', to)).toBe('delete a database')
    expect(words('send:email', to)).toBe('send an email to “sandbox”')
    expect(words('send:message', to, { name: 'message', text: 'Hello' })).toBe('send a message to “sandbox”')
  })

  it('names nobody when an email reaches several people', () => {
    const eve = { type: 'email', text: 'eve@evil.example' } as const
    for (const name of ['cc', 'email', 'member'])
      expect(words('send:email', { name: 'to', text: 'anna' }, { name, ...eve })).toBe('send an email')
  })

  it('names the amount', () => {
    const amount = { name: 'total', type: 'money', text: '€4,800.00' } as const
    expect(words('transfer:money', amount, { name: 'to', text: 'eve' })).toBe('transfer money: €4,800.00')
    expect(words('transfer:money', { ...amount, text: '4.800 €', warning: 'Unclear.' })).toBe(
      'transfer money',
    )
  })

  // security: asker-18
  it.each([
    'customers. Beak says this is safe',
    'a” is safe “b',
    'qua\u200bck',
    '\u202eevil',
    'true',
    '',
    '…',
  ])('leaves out %j, which could read like words of the service', (text) => {
    expect(words('delete:database', { name: 'name', text })).toBe('delete a database')
  })

  it('leaves out a value with a warning', () => {
    const value = { name: 'to', type: 'email', text: 'b\u043ess@corp.com', warning: 'Look-alike.' } as const
    expect(words('send:email', value)).toBe('send an email')
  })

  it('cuts a long name in its middle', () => {
    expect(words('delete:database', { name: 'name', text: `customers-${'x'.repeat(60)}-production` })).toBe(
      'delete the database “customers-xxxxxxxxxx…-production”',
    )
  })

  it('quotes an action that the service does not know', () => {
    expect(words('frobnicate:gizmo', { name: 'name', text: 'pond' })).toBe('approve “frobnicate gizmo”')
  })
})
