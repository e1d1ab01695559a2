import { type Risk, type RiskFacts, riskOf, riskVersion } from '@beak/decision/risk/rules'
import { canonicalText } from '@beak/proofs/canonical'
import { Rule } from '@beak/proofs/rules/rule'
import { expect, it } from 'vitest'
import { choicesOf } from '@/lab/faults/seed'
import { riskText } from '@/lib/domain/pecks/risk/read'
import type { PeckRow } from '@/lib/domain/pecks/rows'
import { judgedOf } from './answer'
import { judgedAlone } from './rehearse'
import { verdictsOf } from './verdict'

const agentId = 'AGT-01K8E5W3GQ0000000000000004'
const otherAgent = 'AGT-01K8E5W3GQ0000000000000005'
const [owner, operator] = ['DUCK-01K8E5W3GQ0000000000000001', 'DUCK-01K8E5W3GQ0000000000000002']

const amounts = ['€38.00', '€50.01', '38 EUR', 'US$5.00', '4.800 €', 38, { amount: 12, currency: 'EUR' }]
const recipients = ['shop@example.com', 'a@mail.example.com', 'x@evil.com']
const notes = ['hello', 'shop@example.com', '€5.00', 12, ['a'], 'sk_live_51H8xyzabcdefghijklmnop']
const actions = ['pay:invoice', 'pay:bill', 'send:mail', 'delete:database']
const constraints = {
  amount: [
    { at_most: '€50.00' },
    { at_least: '€20.00' },
    { between: ['€1.00', '€40.00'] },
    { equals: '€38.00' },
    { at_most: 50 },
  ],
  to: [
    { equals: 'shop@example.com' },
    { domain: 'example.com' },
    { one_of: ['shop@example.com', 'x@evil.com'] },
  ],
  note: [{ any: true }, { equals: 'hello' }, { unchanged: ['a'] }],
} as const

/** The risk of a request. Each is computed once, because that takes longer than judging. */
const risks = new Map<string, Risk>()
function riskFor(facts: Pick<RiskFacts, 'action' | 'scope' | 'params'>): Risk {
  const key = canonicalText(facts)
  const risk = risks.get(key) ?? riskOf({ ...facts, history: null })
  risks.set(key, risk)
  return risk
}

it('rehearses 10,000 random requests as new requests are judged', () => {
  const choices = choicesOf(20_261_126)
  const flip = () => choices.one([true, false])
  /** True in 9 of 10 cases. */
  const mostly = () => choices.one([...Array<boolean>(9).fill(true), false])
  let answered = 0
  for (let round = 0; round < 10_000; round++) {
    const isOwn = flip()
    const action = choices.one(actions)
    const params = {
      ...(choices.one([true, true, true, false]) ? { amount: choices.one(amounts) } : {}),
      ...(flip() ? { to: choices.one(recipients) } : {}),
      ...(choices.one([true, false, false]) ? { note: choices.one(notes) } : {}),
    }
    const rule = Rule.parse({
      ...(flip() ? { agent_id: agentId } : { operator_id: isOwn ? owner : operator }),
      actions: [mostly() ? action : choices.one(actions)],
      params: Object.fromEntries(
        Object.entries(constraints)
          .filter(([name]) => name in params === mostly())
          .map(([name, list]) => [name, choices.one([...list])]),
      ),
      ...(flip() ? { budget: { amount: '€100.00' } } : {}),
      reasons: mostly() ? ['money', 'outward', 'unlisted'] : [],
      expires_in: 3600,
      answer: choices.one(['approve', 'approve', 'reject', 'ask']),
      mode: 'on',
    })
    const scope = mostly() ? ('limited' as const) : choices.one(['timed', 'standing'] as const)
    const risk = riskFor({ action, scope, params })
    const peck = {
      id: 'PECK-1',
      requesterDucklingId: isOwn ? owner : operator,
      requesterAgentId: mostly() ? agentId : choices.one([otherAgent, null]),
      targetDucklingId: owner,
      action,
      scope,
      params: canonicalText(params),
      riskLevel: risk.level,
      riskReasons: riskText(risk),
      requireSigned: !mostly(),
      blocked: !mostly(),
    } as PeckRow
    const account = {
      targetTier: mostly() ? ('T2' as const) : ('T1' as const),
      targetVerified: mostly(),
      targetRequiresPasskey: !mostly(),
      targetApprover: mostly() ? null : choices.one(['high', 'all'] as const),
      rulesPausedAt: null,
      agentBudget: null,
    }
    const candidate = {
      id: 'RULE-1',
      rule: canonicalText(rule),
      watches: false,
      answers: true,
      timeZone: 'UTC',
      statementId: '',
      riskVersion,
      reportedRisk: null,
      expiresAt: '',
    }
    const facts = { ...account, request: judgedOf(peck), risk, knowsAsker: true, isBlocked: peck.blocked }
    const isAnswered = verdictsOf([candidate], facts).verdict !== null
    // A rule that asks answers nothing, and a rehearsal counts when it would have asked.
    const isRehearsed = rule.answer !== 'ask' && judgedAlone(rule, peck, account).why.length === 0
    expect(isRehearsed, canonicalText({ rule, params, action, scope })).toBe(isAnswered)
    if (isAnswered) answered++
  }
  expect(answered).toBeGreaterThan(100)
})
