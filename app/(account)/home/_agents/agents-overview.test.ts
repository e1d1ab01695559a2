import { describe, expect, it } from 'vitest'
import { type AgentActivity, stateOf } from './agents-overview'

const now = new Date('2027-01-10T12:00:00.000Z')
const viewer = 'DUCK-1'
const peck = (change: object = {}) => ({
  peck_id: 'PECK-1',
  action: 'book:table',
  status: 'approved',
  grant_status: 'active',
  target_duckling_id: viewer,
  target_display_name: 'Mallard',
  created_at: '2027-01-10T11:00:00.000Z',
  expires_at: '2027-01-11T11:00:00.000Z',
  changed_at: '2027-01-10T11:57:00.000Z',
  grant_expires_at: null,
  uses: 0,
  ...change,
})
const state = (change: object) =>
  stateOf(
    {
      agent_id: 'AGT-1',
      agent_name: 'Scout',
      status: 'bonded',
      last_seen_at: null,
      waiting: 0,
      waiting_for_you: 0,
      peck: null,
      ...change,
    } as AgentActivity,
    viewer,
    now,
  )
const eider = { target_duckling_id: 'DUCK-2', target_display_name: 'Eider' }

describe('the state of an agent', () => {
  it('says what waits for the viewer, and how many more requests do', () => {
    const pending = peck({ status: 'pending', grant_status: null })
    const one = state({ waiting: 1, waiting_for_you: 1, peck: pending })
    expect(one).toMatchObject({ kind: 'asks_you', text: 'Waiting for you: book a table', peckId: 'PECK-1' })
    const three = state({ waiting: 5, waiting_for_you: 3, peck: pending })
    expect(three.text).toBe('Waiting for you: book a table, and 2 more')
  })

  it('names the person that another request waits for', () => {
    const waiting = state({ waiting: 2, peck: peck({ ...eider, status: 'pending', grant_status: null }) })
    expect(waiting).toMatchObject({
      kind: 'waits',
      text: 'Waiting for \u2068Eider\u2069: book a table, and 1 more',
    })
  })

  it.each([
    [{ uses: 1, grant_status: 'consumed' }, 'used', 'Used “Book a table”'],
    [{}, 'allowed', 'You approved “Book a table”'],
    [eider, 'allowed', '\u2068Eider\u2069 approved “Book a table”'],
    [{ by_rule: true }, 'allowed', 'Your rule approved “Book a table”'],
    [{ ...eider, by_rule: true }, 'allowed', 'A rule of \u2068Eider\u2069 approved “Book a table”'],
    [
      { ...eider, status: 'rejected', grant_status: null },
      'refused',
      '\u2068Eider\u2069 rejected “Book a table”',
    ],
    [{ status: 'expired', grant_status: null }, 'ended', 'Nobody answered “Book a table”'],
    [{ status: 'cancelled', grant_status: null }, 'ended', 'Withdrew “Book a table”'],
    [{ grant_status: 'revoked', uses: 2 }, 'ended', 'You revoked “Book a table”'],
  ])('shows what happened last: %j', (change, kind, text) => {
    expect(state({ peck: peck(change) })).toEqual({
      kind,
      text,
      at: '2027-01-10T11:57:00.000Z',
      peckId: 'PECK-1',
    })
  })

  it('quotes an action that the service has no words for once, and says whose profile is read', () => {
    const used = { uses: 1, action: 'frobnicate:pond' }
    expect(state({ peck: peck(used) }).text).toBe('Used \u2068“frobnicate pond”\u2069')
    const pending = { status: 'pending', grant_status: null, action: 'read:profile' }
    expect(state({ waiting: 1, peck: peck({ ...eider, ...pending }) }).text).toBe(
      'Waiting for \u2068Eider\u2069: read their profile',
    )
    expect(state({ waiting: 1, waiting_for_you: 1, peck: peck(pending) }).text).toBe(
      'Waiting for you: read your profile',
    )
  })

  it('is idle after a day without a change, since the agent was last seen', () => {
    const old = peck({ changed_at: '2027-01-05T00:00:00.000Z' })
    expect(state({ peck: old, last_seen_at: '2027-01-06T00:00:00.000Z' })).toEqual({
      kind: 'idle',
      text: 'Idle, last active',
      at: '2027-01-06T00:00:00.000Z',
      peckId: null,
    })
    expect(state({ peck: old }).at).toBe('2027-01-05T00:00:00.000Z')
    expect(state({})).toMatchObject({ kind: 'idle', text: 'No activity yet', at: null })
  })

  it('says "Paused" and "Not connected yet" before anything else', () => {
    expect(state({ status: 'suspended', waiting: 1, peck: peck({ status: 'pending' }) }).text).toBe('Paused')
    expect(state({ status: 'registered' }).text).toBe('Not connected yet')
  })
})
