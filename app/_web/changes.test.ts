import { describe, expect, it } from 'vitest'
import { answeredValue, bySession, type RecentChange, unanswered } from './changes'

const [early, late] = [{ at: '2026-11-28T13:09:00.000Z' }, { at: '2026-11-28T13:10:00.000Z' }]

describe('unanswered', () => {
  it('leaves out what was answered in this browser, and asks about what came later', () => {
    expect(unanswered([late, early], 'DUCK-1', answeredValue('DUCK-1', early.at))).toEqual([late])
    expect(unanswered([late, early], 'DUCK-1', answeredValue('DUCK-1', late.at))).toEqual([])
  })

  it('asks in a browser that has answered nothing, or for another account, or has a broken cookie', () => {
    for (const answered of [undefined, answeredValue('DUCK-2', late.at), '', 'DUCK-1'])
      expect(unanswered([late, early], 'DUCK-1', answered)).toHaveLength(2)
  })
})

describe('bySession', () => {
  const session = (id: string): RecentChange['session'] => ({
    session_id: id,
    user_agent: null,
    name: null,
    ip: null,
    auth_time: '2026-11-28T13:00:00.000Z',
    ended_at: null,
  })

  it('has each session once, with its changes in their order', () => {
    const [first, second] = [session('SES-1'), session('SES-2')]
    const [a, b, c] = [
      { change: 'webhook_deleted', session: first },
      { change: 'agent_registered', session: second },
      { change: 'webhook_created', session: { ...first } as typeof first },
    ]
    expect(bySession([a, b, c])).toEqual([
      { session: first, changes: [a, c] },
      { session: second, changes: [b] },
    ])
  })

  it('has the changes of deleted sessions together, and nothing without changes', () => {
    const lost = { change: 'agent_registered', session: null }
    expect(bySession([lost, lost])).toEqual([{ session: null, changes: [lost, lost] }])
    expect(bySession([])).toEqual([])
  })
})
