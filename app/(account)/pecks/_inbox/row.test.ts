import { describe, expect, it } from 'vitest'
import { rowOf } from './make-row'
import { announcementOf, type InboxAnswer } from './row'

type Item = InboxAnswer['items'][number]

const item = (change: Partial<Item> = {}): Item => ({
  peck_id: 'PECK-1',
  requester: {
    type: 'agent',
    duckling_id: 'DUCK-1',
    display_name: 'Mallard',
    trust_tier: 'T1',
    agent_id: 'AGT-1',
    agent_name: 'Scout” of Eider',
  },
  action: 'send:email',
  scope: 'limited',
  sentence: 'send an email, once, within 24 hours of the approval',
  value: { name: 'to', type: 'email', text: 'eider@pond.example' },
  values: [{ name: 'to', type: 'email', text: 'eider@pond.example', role: 'recipient' }],
  risk_level: 'medium',
  first_contact: false,
  known: true,
  first_line: null,
  needs_passkey: false,
  created_at: '2026-11-22T10:00:00.000Z',
  expires_at: '2026-11-23T10:00:00.000Z',
  ...change,
})

const rowWith = (...values: Item['values']) => rowOf(item({ values }), 'DUCK-2')
const clippedText = (text: string) => rowWith({ name: 'x', type: 'text', text }).value

describe('rowOf', () => {
  it('has the words of the action, the value, and who asks', () => {
    expect(rowOf(item(), 'DUCK-2')).toMatchObject({
      asker: 'AGT-1',
      name: '“Scout of Eider”',
      operator: 'Mallard',
      owner: { duckling_id: 'DUCK-1', trust_tier: 'T1' },
      words: 'Send an email',
      value: 'to eider@pond.example',
      more: [],
      payee: 'eider@pond.example',
    })
    expect(rowOf(item(), 'DUCK-1')).toMatchObject({ operator: 'you', owner: null })
  })

  it('quotes an action that the service has no words for', () => {
    expect(rowOf(item({ action: 'frobnicate:pond' }), 'DUCK-2').words).toBe('“frobnicate:pond”')
  })

  it('shows a long value as one short line, with hidden characters made visible', () => {
    expect(clippedText('a\u202eb\n\nc')).toBe('a⟨U+202E⟩b c')
    expect(clippedText('x'.repeat(10_000))).toBe(`${'x'.repeat(200)} …`)
  })
})

it('shows a plain value with its name', () => {
  expect(rowWith({ name: 'cascade', type: 'value', text: 'true' }).value).toBe('cascade: true')
})

it('shows the value also after a long name', () => {
  const value = { name: `database ${'x'.repeat(200)}`, type: 'value' as const, text: 'customers' }
  expect(rowWith(value).value).toBe(`database ${'x'.repeat(15)} …: customers`)
})

it('puts the amount beside the words, wherever it stands, and all other values below', () => {
  const row = rowWith(
    { name: 'service', type: 'value', text: 'webshop', role: 'object' },
    { name: 'amount', type: 'money', text: '€1,980.00', role: 'amount' },
    { name: 'payee', type: 'value', text: 'Hoster GmbH', role: 'recipient' },
    { name: 'from', type: 'date', text: 'Monday 7 December 2026' },
  )
  expect(row).toMatchObject({
    value: '€1,980.00',
    isAmount: true,
    more: ['webshop', 'payee: Hoster GmbH', 'from: Monday 7 December 2026'],
    payee: 'Hoster GmbH',
  })
})

it('adds no amount that has a warning, and names no payee that has one', () => {
  const warning = 'Contains an amount that cannot be read exactly.'
  expect(
    rowWith(
      { name: 'amount', type: 'money', text: '4.800 €', role: 'amount', warning },
      { name: 'to', type: 'value', text: 'eve', role: 'recipient', warning },
    ),
  ).toMatchObject({ value: '4.800 €', isAmount: false, payee: null })
})

describe('announcementOf', () => {
  it.each([
    ['DUCK-1', '“Scout of Eider”, your agent, wants to send an email: to eider@pond.example.'],
    [
      'DUCK-2',
      '“Scout of Eider”, an agent of Mallard (…CK-1), wants to send an email: to eider@pond.example.',
    ],
  ])('for %s is one sentence', (viewerId, sentence) => {
    expect(announcementOf(rowOf(item(), viewerId))).toBe(sentence)
  })
})
