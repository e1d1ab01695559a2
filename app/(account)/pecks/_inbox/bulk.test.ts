import { describe, expect, it } from 'vitest'
import { outcomeWords, requestCount, splitForBulk } from './bulk'
import type { InboxRow } from './row'

const row = (change: Partial<InboxRow>): InboxRow => ({
  id: 'PECK-1',
  asker: 'AGT-1',
  name: '“Scout”',
  operator: 'you',
  words: 'Read a calendar',
  value: null,
  risk: 'low',
  isFirstContact: false,
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
  ]

  it('leaves high risks and those that need a passkey out of an approval, with the reason', () => {
    const { included, leftOut } = splitForBulk(rows, 'approve')
    expect(included.map(({ id }) => id)).toEqual(['low'])
    expect(leftOut.map(({ row: { id }, reason }) => [id, reason])).toEqual([
      ['high', 'High risk'],
      ['standing', 'Needs your passkey'],
    ])
  })

  it('rejects all of them', () => {
    expect(splitForBulk(rows, 'reject').included).toHaveLength(3)
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
