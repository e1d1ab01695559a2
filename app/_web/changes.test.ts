import { describe, expect, it } from 'vitest'
import { answeredValue, answerIn, bySession, inView, type RecentChange, unanswered } from './changes'

const [early, late] = [{ at: '2026-11-28T13:09:00.000Z' }, { at: '2026-11-28T13:10:00.000Z' }]

describe('unanswered', () => {
  const asked = (cookie: string | undefined) => unanswered([late, early], answerIn(cookie, 'DUCK-1'))
  const answered = (id: string, until: string, reported = '') =>
    answeredValue(id, { until, reported, since: reported })

  it('leaves out what was answered in this browser, and asks about what came later', () => {
    expect(asked(answered('DUCK-1', early.at))).toEqual({ changes: [late], isReported: false })
    expect(asked(answered('DUCK-1', late.at))).toEqual({ changes: [], isReported: false })
  })

  it('keeps what was not the viewer until the viewer says that all is in order, and asks about what came later', () => {
    expect(asked(answered('DUCK-1', '', late.at))).toEqual({ changes: [late, early], isReported: true })
    expect(asked(answered('DUCK-1', early.at, late.at))).toEqual({ changes: [late], isReported: true })
    expect(asked(answered('DUCK-1', '', early.at))).toEqual({ changes: [late, early], isReported: false })
  })

  it('asks in a browser that has answered nothing, or for another account, or has a broken cookie', () => {
    for (const cookie of [
      undefined,
      answered('DUCK-2', late.at),
      answered('DUCK-2', '', late.at),
      '',
      'DUCK-1',
    ])
      expect(asked(cookie)).toEqual({ changes: [late, early], isReported: false })
  })
})

describe('inView', () => {
  it('has the changes of the last hour, and older ones only when they were reported', () => {
    const now = new Date('2026-11-28T14:09:30.000Z')
    const answer = { until: '', reported: '', since: '' }
    expect(inView([late, early], answer, now)).toEqual([late])
    expect(inView([late, early], { ...answer, reported: early.at }, now)).toEqual([late, early])
    const later = new Date('2026-12-02T13:00:00.000Z')
    expect(inView([late, early], { ...answer, reported: early.at }, later)).toEqual([early])
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
