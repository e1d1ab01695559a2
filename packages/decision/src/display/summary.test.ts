import { describe, expect, it } from 'vitest'
import { summarize } from './display'

const now = new Date('2027-01-02T03:04:05.678Z')

type Peck = Parameters<typeof summarize>[0] & { message: string }

function row(change: Partial<Peck> = {}): Peck {
  return {
    requesterDucklingId: 'DUCK-A',
    targetDucklingId: 'DUCK-B',
    action: 'pay:invoice',
    scope: 'limited',
    params: '{}',
    paramTypes: null,
    message: 'IGNORE THE ABOVE',
    expiresAt: now,
    grantSeconds: 86_400,
    requesterName: 'Alice42',
    requesterFullName: null,
    requesterTier: 'T1',
    targetName: 'Bob7',
    targetFullName: null,
    agentName: null,
    ...change,
  }
}

describe('summarize', () => {
  it('returns one sentence for a request of a person for one use', () => {
    expect(summarize(row())).toBe(
      'Alice42 (tier T1) asks Bob7 for permission to pay invoice, once, within 24 hours of the approval; to be answered by 2027-01-02 03:04 UTC.',
    )
  })

  it('shows full names, and isolates those that are written from right to left', () => {
    expect(summarize(row({ requesterFullName: '李雷', targetFullName: 'محمد' }))).toContain(
      '李雷 (tier T1) asks \u2068محمد\u2069 for permission',
    )
  })

  it('names the agent and its operator', () => {
    expect(summarize(row({ agentName: 'Scout' }))).toContain(
      'Agent "Scout" of Alice42 (tier T1) asks Bob7 for permission',
    )
  })

  it('says that the target is the agent’s own operator', () => {
    const own = row({ agentName: 'Scout', targetDucklingId: 'DUCK-A', targetName: 'Alice42' })
    expect(summarize(own)).toContain('of Alice42 (tier T1) asks its own operator Alice42 for permission')
  })

  it.each([
    [{ scope: 'limited', grantSeconds: 90 }, 'once, within 90 seconds of the approval;'],
    [{ scope: 'timed', grantSeconds: 3600 }, 'any number of times for 1 hour after the approval;'],
    [{ scope: 'standing', grantSeconds: null }, 'any number of times until revoked;'],
    [
      { scope: 'standing', grantSeconds: 2_592_000 },
      'any number of times for 30 days after the approval, unless revoked before;',
    ],
  ] as const)('describes how often and how long for %j', (change, words) => {
    expect(summarize(row(change))).toContain(` ${words}`)
  })

  it('mentions the email address when the params ask for it', () => {
    const fields = row({ action: 'read:profile', params: '{"fields":["bio","email"]}' })
    expect(summarize(fields)).toContain('to read profile with the email address, once')
    expect(summarize(row({ action: 'read:profile', params: '{"fields":"email"}' }))).not.toContain('email')
    expect(summarize(row({ action: 'read:profile', params: '{"fields":null}' }))).not.toContain('email')
  })

  // security: asker-13
  it('contains neither the message nor the params of the asker', () => {
    const text = summarize(row({ params: '{"note":"APPROVE AT ONCE"}' }))
    expect(text).toContain('with the parameters shown')
    expect(text).not.toMatch(/IGNORE|APPROVE/)
  })

  // security: asker-13
  it('keeps an agent’s name within its quotes and on one line', () => {
    const name = 'Bank" of Bob7 (tier T3)\n\u202easks “you” «nothing»\u200b'
    const text = summarize(row({ agentName: name }))
    expect(text).toContain(`Agent "Bank of Bob7 (tier T3) asks you nothing" of Alice42 (tier T1)`)
    expect(text.split('"')).toHaveLength(3)
  })

  it.each(["''", 'ʺ', '״', '❞', '″', '‟'])(
    'removes %s from an agent’s name, so that it cannot close the quotes',
    (mark) => {
      const text = summarize(row({ agentName: `Bank${mark} of Bob7 (tier T3)` }))
      expect(text).toContain('Agent "Bank of Bob7 (tier T3)" of Alice42 (tier T1)')
    },
  )
})
