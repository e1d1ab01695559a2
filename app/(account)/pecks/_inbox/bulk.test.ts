import { describe, expect, it } from 'vitest'
import { outcomeWords, requestCount } from './bulk'
import { askersWords, bulkGroups, bulkTitle, splitForBulk } from './bulk-groups'
import type { InboxRow } from './rows'

const row = (change: Partial<InboxRow>): InboxRow => ({
  id: 'PECK-1',
  asker: 'AGT-1',
  ownerId: 'DUCK-1',
  name: '“Scout”',
  owner: null,
  operator: 'you',
  words: 'Read a calendar',
  value: null,
  isAmount: false,
  more: [],
  payee: null,
  risk: 'low',
  isFirstContact: false,
  isFreeText: false,
  costsRepeatedly: false,
  isKnown: true,
  isAsBefore: false,
  reason: null,
  needsPasskey: false,
  createdAt: '',
  expiresAt: '',
  ...change,
})

describe('splitForBulk', () => {
  const rows = [
    row({ id: 'low' }),
    row({ id: 'high', risk: 'high' }),
    row({ id: 'standing', needsPasskey: true }),
    row({ id: 'new', isFirstContact: true }),
    row({ id: 'stranger', isFirstContact: true, operator: null }),
  ]

  it('leaves out of an approval what a person must open, with the reason', () => {
    const { included, leftOut } = splitForBulk(rows, 'approve', false)
    expect(included.map(({ id }) => id)).toEqual(['low'])
    expect(leftOut.map(({ row: { id }, reason }) => [id, reason])).toEqual([
      ['high', 'High risk'],
      ['standing', 'Needs your passkey'],
      ['new', 'Your agent is new'],
      ['stranger', 'Nothing approved from them yet'],
    ])
  })

  it('leaves all out of an approval when the person wants a passkey for each', () => {
    expect(splitForBulk(rows, 'approve', true).included).toEqual([])
  })

  it('rejects all of them', () => {
    expect(splitForBulk(rows, 'reject', true).included).toHaveLength(5)
  })
})

describe('outcomeWords', () => {
  it.each([
    [{ outcome: 'decided', status: 'approved' }, 'Approved'],
    [{ outcome: 'decided', status: 'rejected' }, 'Rejected'],
    [{ outcome: 'not_pending', status: 'cancelled' }, 'Withdrawn'],
    [{ outcome: 'missing', status: null }, 'No longer there'],
    [{ outcome: 'high_risk', status: 'pending' }, 'Left out: high risk'],
  ] as const)('returns for %j: %s', (outcome, words) => {
    expect(outcomeWords({ peck_id: 'PECK-1', ...outcome })).toBe(words)
  })
})

it('counts requests in words', () => {
  expect([requestCount(1), requestCount(1200)]).toEqual(['1 request', '1,200 requests'])
})

it('says in the title when none can be approved together', () => {
  expect([bulkTitle('approve', 3, 4), bulkTitle('approve', 0, 51), bulkTitle('approve', 0, 1)]).toEqual([
    'Approve 3 requests?',
    'None of these 51 can be approved together.',
    'This request can only be approved on its own.',
  ])
})

describe('bulkGroups', () => {
  it('groups by action, risk and reason, the highest risk first, then the largest group', () => {
    const found = [
      { row: row({ id: '1', words: 'Read notes' }), reason: null },
      { row: row({ id: '2' }), reason: null },
      { row: row({ id: '3' }), reason: null },
      { row: row({ id: '4', risk: 'high' }), reason: 'High risk' },
    ]
    expect(bulkGroups(found).map(({ rows, reason }) => [rows.map(({ id }) => id).join(), reason])).toEqual([
      ['4', 'High risk'],
      ['2,3', null],
      ['1', null],
    ])
  })
})

describe('askersWords', () => {
  const from = (ownerId: string, change: Partial<InboxRow> = {}) =>
    row({ asker: `AGT-${ownerId}`, ownerId, operator: ownerId, ...change })

  it.each([
    [[row({}), row({})], null],
    [
      [from('A', { isFirstContact: true }), from('B', { isFirstContact: true })],
      'from 2 people, 2 of them new to you',
    ],
    [[from('A', { asker: 'AGT-1' }), from('A', { asker: 'AGT-2' })], 'from 1 person'],
    [
      [row({}), from('A'), from('B', { isFirstContact: true })],
      'from your agents and 2 people, 1 of them new to you',
    ],
    [[row({ asker: 'AGT-1' }), row({ asker: 'AGT-2' })], 'from your agents'],
  ])('counts people, not their agents', (rows, expected) => {
    expect(askersWords(rows)).toBe(expected)
  })
})
