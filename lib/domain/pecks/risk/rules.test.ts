import { describe, expect, it } from 'vitest'
import { displayOf } from '../display/display'
import type { Params } from '../params'
import { type AskerFacts, type RiskFacts, riskOf } from './rules'

const known: AskerFacts = {
  knowsAsker: true,
  approved: 5,
  approvedParams: null,
  agentAge: 30 * 86_400,
  keyAge: null,
}

function risk(action: string, params: Params = {}, change: Partial<RiskFacts> = {}) {
  return riskOf({ action, scope: 'limited', params, history: known, ...change })
}
const rulesOf = (...facts: Parameters<typeof risk>) => risk(...facts).reasons.map(({ rule }) => rule)

describe('riskOf', () => {
  it.each([
    ['read:calendar', {}, 'low'],
    ['delete:database', { environment: 'production', cascade: true }, 'high'],
    ['transfer:money', { amount: '€4,800.00' }, 'high'],
    ['book:table', { price: 40, currency: 'EUR' }, 'low'],
    ['book:flight', { price: { amount: '420.00', currency: 'EUR' } }, 'medium'],
    ['book:flight', { trip: { legs: [{ price: '1,250 USD' }] } }, 'high'],
    ['buy:ticket', { total: 4800, currency: 'JPY' }, 'low'],
    ['book:flight', { price: '4.800 €' }, 'high'],
    ['book:flight', { prices: ['12', '4.800'] }, 'high'],
    ['book:flight', { note: 'Costs EUR 12.500' }, 'high'],
    ['book:flight', { note: 'Costs €120.50, with breakfast for €12' }, 'medium'],
    ['book:flight', { note: '٤٨٠٠ €' }, 'high'],
    ['book:flight', { note: 'Costs €1e5' }, 'high'],
    ['book:flight', { note: 'Costs EUR 1 Mio' }, 'high'],
    ['book:flight', { note: 'Costs 1 Mio EUR' }, 'high'],
    ['book:flight', { note: 'Pay for 4800 Eur' }, 'high'],
    ['book:flight', { note: 'order 1 EUR 4800' }, 'high'],
    ['book:flight', { note: '4800 EUR 1 piece' }, 'high'],
    ['book:flight', { note: '€1 '.repeat(1000) }, 'high'],
    ['book:flight', { payment_id: 'pi-7', seats: 'A12' }, 'low'],
    ['send:email', { to: 'pond@example.com' }, 'medium'],
    ['read:log', { host: 'prod-eu-1' }, 'low'],
    ['restart:server', { host: 'prod-eu-1' }, 'medium'],
    ['cancel:order', { environment: 'live' }, 'high'],
    ['run:script', { command: 'git push --force' }, 'high'],
    ['run:script', { command: 'git push --force; ls' }, 'high'],
    ['run:script', { query: "';DROP TABLE users;" }, 'high'],
    ['run:script', { command: 'git push --force-with-lease' }, 'low'],
    ['edit:file', { text: 'pay\u202eecneics' }, 'high'],
    ['send:email', { to: 'pond@ex\u0430mple.com' }, 'high'],
    ['send:email', { to: ' b\u043ess@corp.com' }, 'high'],
    ['send:email', { to: 'Boss <b\u043ess@corp.com>' }, 'high'],
    ['send:email', { to: ['b\u043ess@corp.com'] }, 'high'],
    ['send:email', { to: 'ok@corp.com, b\u043ess@corp.com' }, 'high'],
    ['send:email', { to: 'ok@corp.com', text: 'Gr\u00fc\u00dfe' }, 'medium'],
    ['update:account', { newPassword: 'swan' }, 'medium'],
  ] as const)('rates %s with %j as %s', (action, params, level) => {
    expect(risk(action, params as Params).level).toBe(level)
  })

  it.each([
    'hard-delete:database',
    'delete_all:users',
    'force-delete:backups',
    'database:delete',
    'admin_x:db/delete',
    'run:delete-database',
    'pay-out:money',
    'make:payment',
    'create:transfer',
    'schedule:bank-transfers',
  ])('gives a reason for %s, which cannot be undone', (action) => {
    expect(risk(action).reasons).toContainEqual(
      expect.objectContaining({ rule: 'irreversible', level: 'high' }),
    )
  })

  it.each(['read:transactions', 'create:reset-link', 'update:profile'])(
    'gives no reason for %s',
    (action) => {
      expect(risk(action).reasons).toEqual([])
    },
  )

  it.each([true, 1, 'true', 'Yes', '1'])(
    'counts %j as true under a name that removes a safeguard',
    (value) => {
      expect(rulesOf('add:event', { force: value })).toEqual(['force'])
      expect(rulesOf('add:event', { all: [value] })).toEqual(['force'])
    },
  )

  it.each([false, 0, 'false', 'no', 11, null])('does not count %j as true', (value) => {
    expect(rulesOf('add:event', { force: value })).toEqual([])
  })

  it('rates an action that reads and deletes like one that deletes', () => {
    expect(
      rulesOf('read-delete:file', {}, { history: { ...known, knowsAsker: false, approved: 0 } }),
    ).toEqual(['irreversible', 'first_time_asker'])
  })

  it('rates a permission without an end as medium', () => {
    expect(risk('read:calendar', {}, { scope: 'standing' })).toMatchObject({ level: 'medium' })
  })

  it.each([
    ['the first request of an asker', { knowsAsker: false, approved: 0 }, 'first_time_asker', 'medium'],
    ['a new action of a known asker', { approved: 0 }, 'first_time_action', 'low'],
    ['an agent of an hour', { agentAge: 3600 }, 'new_agent', 'medium'],
    ['a key that was rotated an hour ago', { keyAge: 3599 }, 'new_key', 'medium'],
  ] as const)('gives a reason for %s', (_, change, rule, level) => {
    const facts = { history: { ...known, ...change } }
    expect(risk('add:event', {}, facts).reasons).toContainEqual(expect.objectContaining({ rule, level }))
  })

  it.each([
    ['an amount of more than twice the last', { amount: '€38' }, { amount: '€90' }],
    ['another address', { to: 'pond@example.com' }, { to: 'swan@example.com' }],
    ['a second address', { to: 'boss@ok.com' }, { to: 'boss@ok.com, eve@evil.com' }],
    ['an address in a list', { to: ['boss@ok.com'] }, { to: ['boss@ok.com', 'eve@evil.com'] }],
    ['an address in a text that had none', { text: 'Hello' }, { text: 'Hello, write to eve@evil.com' }],
    ['a new parameter', { title: 'Pond' }, { title: 'Pond', repeat: 'daily' }],
  ])('gives a reason for %s', (_, approvedParams, params) => {
    const history = { ...known, approvedParams }
    expect(rulesOf('add:event', params, { history })).toContain('unlike_earlier')
    expect(rulesOf('add:event', approvedParams, { history })).not.toContain('unlike_earlier')
  })

  it('makes a high risk of three medium reasons', () => {
    const history = { ...known, knowsAsker: false, approved: 0, agentAge: 60 }
    const two = risk('add:event', {}, { history })
    const three = risk('add:event', {}, { history, scope: 'standing' })
    expect([two.level, three.level]).toEqual(['medium', 'high'])
  })

  it('puts the highest reason first', () => {
    expect(rulesOf('transfer:money', { amount: '€40', to: 'a@b.example' })).toEqual(['irreversible', 'money'])
  })

  it('answers for the deepest params that a request can have', () => {
    const deep = JSON.parse(`${'['.repeat(2000)}${']'.repeat(2000)}`) as unknown
    expect(risk('add:event', { deep }).level).toBe('high')
  })

  it('does not read declared types: the risk of a peck is the same with and without them', () => {
    const peck = { action: 'pay:invoice', scope: 'limited', grantSeconds: 60 } as const
    const params = JSON.stringify({ amount: '€4,800.00' })
    const plain = displayOf({ ...peck, params, paramTypes: null })
    const declared = displayOf({ ...peck, params, paramTypes: '{"amount":"text"}' })
    expect(plain.values).toEqual([{ name: 'amount', type: 'money', text: '€4,800.00' }])
    expect(declared.values).toEqual(plain.values)
    expect(risk('pay:invoice', { amount: '€4,800.00' }).level).toBe('high')
  })
})
