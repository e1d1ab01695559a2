import { describe, expect, it } from 'vitest'
import { withoutMarks } from '@/lib/kernel/text/kept-values'
import type { Peck, PeckWithDetails } from '../_peck/reads'
import { timeline } from './timeline'

const base = {
  action: 'read:status',
  target_duckling_id: 'DUCK-TEAL',
  target_display_name: 'Teal',
  status: 'pending',
  grant_status: null,
  created_at: '2027-01-01T10:00:00.000Z',
  expires_at: '2027-01-02T10:00:00.000Z',
  decided_at: '2027-01-01T11:00:00.000Z',
  grant_expires_at: '2027-01-01T12:00:00.000Z',
  uses: 0,
}
const details: PeckWithDetails['details'] = {
  peck_id: 'PECK-1',
  grant_seconds: 60,
  requester_cert_id: null,
  first_contact: false,
  first_line: null,
  as_before: null,
  signed: false,
  grant_revoked_at: null,
  last_uses: [],
  requester_blocked: false,
  display: { version: 1, sentence: '', values: [] },
  shared: null,
  shared_by_requester: null,
  invitation: null,
  imitates_service: [],
  asker_history: null,
}
const momentsOf = (change: object, detailsChange: object = {}, viewerId = 'DUCK-TEAL') =>
  timeline({ peck: { ...base, ...change } as Peck, details: { ...details, ...detailsChange } }, viewerId).map(
    ({ what, isAhead }) => (isAhead ? `(${what})` : what),
  )

describe('timeline', () => {
  it.each([
    [{}, ['Sent', '(Expires if not answered)']],
    [{ status: 'rejected' }, ['Sent', 'Rejected']],
    [{ status: 'rejected', decided_by: { type: 'rule' } }, ['Sent', 'Rejected by a rule']],
    [
      { status: 'approved', grant_status: 'consumed', uses: 1, decided_by: { type: 'rule' } },
      ['Sent', 'Approved by a rule', 'Used once'],
    ],
    [{ status: 'cancelled' }, ['Sent', 'Withdrawn']],
    [{ status: 'expired' }, ['Sent', 'Expired without an answer']],
    [
      { status: 'approved', grant_status: 'active' },
      ['Sent', 'Approved', 'Not used yet', '(Permission expires)'],
    ],
    [{ status: 'approved', grant_status: 'consumed', uses: 1 }, ['Sent', 'Approved', 'Used once']],
    [{ status: 'approved', grant_status: 'expired' }, ['Sent', 'Approved', 'Permission expired unused']],
    // An answer to a favour permits nothing. An undone answer is told.
    [{ action: 'ask:favour', status: 'approved', grant_status: 'expired' }, ['Sent', 'Approved']],
    [
      { action: 'ask:favour', status: 'approved', grant_status: 'expired', superseded_by: 'PECK-2' },
      ['Sent', 'Approved', 'Approval undone'],
    ],
    [
      { status: 'approved', grant_status: 'revoked', superseded_by: 'PECK-2' },
      ['Sent', 'Approved', 'Approval undone'],
    ],
    [
      { status: 'approved', grant_status: 'revoked', uses: 2 },
      ['Sent', 'Approved', 'Used 2 times, last', 'Permission revoked'],
    ],
  ])('of %j lists %j', (change, words) => {
    expect(momentsOf(change)).toEqual(words)
  })

  it.each([
    [{ status: 'approved' }, {}, 'Approved by Teal'],
    [{ status: 'approved' }, { signed: true }, 'Approved by Teal and signed with a passkey'],
    [{ status: 'approved', decided_by: { type: 'rule' } }, {}, 'Approved by a rule of Teal'],
    [{ status: 'rejected' }, {}, 'Rejected by Teal'],
    [{ status: 'rejected', decided_by: { type: 'rule' } }, {}, 'Rejected by a rule of Teal'],
  ])('tells the person who asked who was asked and who answered %j', (change, detailsChange, words) => {
    const told = momentsOf(change, detailsChange, 'DUCK-MALLARD').map(withoutMarks)
    expect(told).toEqual(['Sent to Teal', words])
  })

  it('has the time of the last use', () => {
    const used = {
      ...base,
      status: 'approved',
      grant_status: 'active',
      uses: 3,
      last_used_at: base.decided_at,
    }
    expect(timeline({ peck: used as Peck, details } as PeckWithDetails, 'DUCK-TEAL')).toContainEqual({
      what: 'Used 3 times, last',
      at: base.decided_at,
      isAhead: false,
    })
  })

  it('mentions the passkey, and no expiry for a standing permission', () => {
    const standing = { status: 'approved', grant_status: 'active', grant_expires_at: null }
    expect(momentsOf(standing, { signed: true })).toEqual([
      'Sent',
      'Approved and signed with a passkey',
      'Not used yet',
    ])
  })
})
