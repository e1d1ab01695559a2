import { describe, expect, it } from 'vitest'
import type { Peck } from './reads'
import { timeline } from './timeline'

const base = {
  status: 'pending',
  grant_status: null,
  created_at: '2027-01-01T10:00:00.000Z',
  expires_at: '2027-01-02T10:00:00.000Z',
  decided_at: '2027-01-01T11:00:00.000Z',
  grant_expires_at: '2027-01-01T12:00:00.000Z',
  uses: 0,
}
const story = (change: object, details: object = {}) =>
  timeline({
    peck: { ...base, ...change } as Peck,
    details: {
      peck_id: 'PECK-1',
      grant_seconds: 60,
      requester_cert_id: null,
      signed: false,
      grant_revoked_at: null,
      requester_blocked: false,
      ...details,
    },
  }).map(({ what, isAhead }) => (isAhead ? `(${what})` : what))

describe('the story of a peck', () => {
  it.each([
    [{}, ['Asked', '(Runs out if nobody answers)']],
    [{ status: 'rejected' }, ['Asked', 'Rejected']],
    [{ status: 'cancelled' }, ['Asked', 'Taken back']],
    [{ status: 'expired' }, ['Asked', 'Ran out without an answer']],
    [{ status: 'approved', grant_status: 'active' }, ['Asked', 'Approved', 'Not used yet', '(Ends)']],
    [{ status: 'approved', grant_status: 'consumed', uses: 1 }, ['Asked', 'Approved', 'Used once']],
    [{ status: 'approved', grant_status: 'expired' }, ['Asked', 'Approved', 'Ended without being used']],
    [
      { status: 'approved', grant_status: 'revoked', uses: 2 },
      ['Asked', 'Approved', 'Used 2 times', 'Revoked'],
    ],
  ])('%j', (change, words) => {
    expect(story(change)).toEqual(words)
  })

  it('tells of the passkey, and of no end where there is none', () => {
    const standing = { status: 'approved', grant_status: 'active', grant_expires_at: null }
    expect(story(standing, { signed: true })).toEqual([
      'Asked',
      'Approved, and signed by passkey',
      'Not used yet',
    ])
  })
})
