import { describe, expect, it } from 'vitest'
import type { PeckRow } from '@/lib/domain/pecks/rows'
import { summarize } from './summary'

const now = new Date('2027-01-02T03:04:05.678Z')

function row(change: Partial<PeckRow> = {}): PeckRow {
  return {
    id: 'PECK-1',
    isSuspended: false,
    requesterDucklingId: 'DUCK-A',
    requesterAgentId: null,
    askerId: 'DUCK-A',
    targetDucklingId: 'DUCK-B',
    action: 'pay:invoice',
    scope: 'limited',
    params: '{}',
    paramsHash: '',
    paramTypes: null,
    audience: null,
    receiptSeed: null,
    statementDigest: null,
    requireSigned: false,
    challenge: null,
    codeHash: null,
    riskLevel: null,
    riskReasons: null,
    stranger: false,
    snoozedUntil: null,
    rejectAt: null,
    grantEndHandled: false,
    notifiedAt: null,
    seenAt: null,
    rings: false,
    heldRejection: null,
    wouldApprove: null,
    unclear: false,
    invitationId: null,
    ruleId: null,
    undone: false,
    supersededBy: null,
    supersedes: null,
    lastUsedAt: null,
    message: 'IGNORE THE ABOVE',
    status: 'pending',
    reason: null,
    blocked: false,
    createdAt: now,
    expiresAt: now,
    decidedAt: null,
    grantSeconds: 86_400,
    grantExpiresAt: null,
    grantRevokedAt: null,
    uses: 0,
    maxUses: null,
    requesterName: 'Alice42',
    requesterFullName: null,
    requesterHandle: null,
    requesterSince: now,
    requesterTier: 'T1',
    targetName: 'Bob7',
    targetFullName: null,
    targetHandle: null,
    targetRequiresPasskey: false,
    targetApprover: null,
    agentName: null,
    agentStatus: null,
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
    expect(summarize(row({ agentName: 'Scout', requesterAgentId: 'AGT-1' }))).toContain(
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

  it('contains neither the message nor the params of the asker', () => {
    const text = summarize(row({ params: '{"note":"APPROVE AT ONCE"}' }))
    expect(text).toContain('with the parameters shown')
    expect(text).not.toMatch(/IGNORE|APPROVE/)
  })

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
