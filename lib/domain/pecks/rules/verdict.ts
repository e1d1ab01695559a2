/**
 * Decides whether a rule of the target answers a new request (contract C, Rules). Whether a request lies within a rule says the judge that
 * verifiers of receipts use, too. Here is what only the service knows: the risk, the asker and the account of the target.
 */

import { type JudgedRequest, judge, type Miss } from '@beak/client/verify/rules/judge'
import type { ExactMoney } from '@beak/client/verify/rules/money'
import type { Rule } from '@beak/client/verify/rules/rule'
import { findMoney } from '@/lib/domain/pecks/display/money'
import type { Risk } from '@/lib/domain/pecks/risk/rules'
import type { CandidateRule, Verdict } from '@/lib/domain/rules/candidate'
import { isTestRequest } from '@/lib/kernel/test-request'
import { moneyNameOf } from '@/lib/kernel/text/money-names'
import { namesRecipient } from '@/lib/kernel/text/naming-names'
import { hasSecret, isSecretName } from '@/lib/kernel/text/secret-values'
import { reaches, type Tier } from '@/lib/kernel/tier'
import { byNarrowness } from './narrow'

/** What decides besides the rules themselves. */
export interface AskedFacts {
  request: JudgedRequest & { requireSigned: boolean; targetDucklingId: string }
  risk: Risk
  /** Whether the target has approved something of this asker before. */
  knowsAsker: boolean
  isBlocked: boolean
  targetTier: Tier
  /** Whether the address of the target is verified and the account is not suspended. */
  targetVerified: boolean
  targetRequiresPasskey: boolean
  targetApprover: 'high' | 'all' | null
  rulesPausedAt: Date | null
}

/** The lowest tier of the target at which rules answer its own agents, and those of others. */
export const ruleTiers = { own: 'T1', others: 'T2' } as const

/** Tells whether `any` may stand for a param of that name: not for money, a secret or somebody whom the action reaches. */
export const mayBeAny = (name: string): boolean =>
  moneyNameOf(name) === null && !isSecretName(name) && !namesRecipient(name)

/** Tells whether the values that a rule leaves open are neither money nor secrets in any form that the service knows. */
export function isOpenOnlyForHarmless(
  { params: constraints }: Rule,
  params: JudgedRequest['params'],
): boolean {
  return Object.entries(params).every(([name, value]) => {
    const constraint = Object.hasOwn(constraints, name) ? constraints[name] : undefined
    if (constraint === undefined || !('any' in constraint)) return true
    const { amounts, isUnclear } = findMoney(value, moneyNameOf(name))
    return mayBeAny(name) && amounts.length === 0 && !isUnclear && !hasSecret(name, value)
  })
}

/** Why no rule answers a request, whatever it says. The conditions are those of contract C, Rules. */
const obstacles = [
  'person',
  'scope',
  'signed',
  'test',
  'high_risk',
  'first_contact',
  'blocked',
  'address',
  'passkey_demanded',
  'paused',
  'tier',
] as const
export type Obstacle = (typeof obstacles)[number]

/** Returns what keeps all rules from answering a request. */
export function obstaclesOf(facts: AskedFacts): Obstacle[] {
  const { request, risk, targetTier } = facts
  const isOwn = request.requester.duckling_id === request.targetDucklingId
  const applies: Record<Obstacle, boolean> = {
    person: request.requester.agent_id === null,
    scope: request.scope !== 'limited',
    signed: request.requireSigned,
    test: isTestRequest(request),
    high_risk: risk.level === 'high',
    first_contact: !isOwn && !facts.knowsAsker,
    blocked: facts.isBlocked,
    address: !facts.targetVerified,
    passkey_demanded: facts.targetRequiresPasskey || facts.targetApprover === 'all',
    paused: facts.rulesPausedAt !== null,
    tier: !reaches(targetTier, isOwn ? ruleTiers.own : ruleTiers.others),
  }
  return obstacles.filter((obstacle) => applies[obstacle])
}

/** Returns the reasons for risk of a request that a rule does not accept. Who asks to be asked need not accept one. */
export function unnamedReasons(rule: Rule, { reasons }: Risk): string[] {
  if (rule.answer === 'ask') return []
  return [...new Set(reasons.map((reason): string => reason.rule))].filter(
    (name) => !rule.reasons.includes(name),
  )
}

interface Opinion {
  candidate: CandidateRule
  rule: Rule
  answer: Rule['answer']
  cost: ExactMoney | null
}

/** What an asker can add to a request that a rule would reject, so that the rule does not match it any more. */
const evasions: readonly Miss['why'][] = ['unnamed', 'money']

/**
 * Returns what a rule says about a request, or null when the request does not lie within it. A rule that rejects or asks says "ask" when only
 * something that the asker added keeps it from matching: otherwise an agent could avoid it and reach a rule that approves. Ignores the budget.
 */
function opinionOf(
  candidate: CandidateRule,
  { request, risk }: Pick<AskedFacts, 'request' | 'risk'>,
): Opinion | null {
  const rule = JSON.parse(candidate.rule) as Rule
  const judged = judge(rule, request)
  const isWhole =
    judged.fits && isOpenOnlyForHarmless(rule, request.params) && unnamedReasons(rule, risk).length === 0
  if (isWhole) return { candidate, rule, answer: rule.answer, cost: judged.cost }
  const isEvaded = judged.fits || judged.misses.every(({ why }) => evasions.includes(why))
  return rule.answer === 'approve' || !isEvaded ? null : { candidate, rule, answer: 'ask', cost: null }
}

/** What the rules say about a request. */
export interface Verdicts {
  /** The answer. Null: the person answers. */
  verdict: Verdict | null
  /** What rules that only watch would have answered. */
  watched: Verdict[]
}

/**
 * Returns the answer of the rules. Rejecting wins over asking, and asking over approving. Of several that approve, the narrowest counts. It is
 * the only one that is charged, also when nothing is left of its budget.
 */
export function verdictsOf(candidates: readonly CandidateRule[], facts: AskedFacts): Verdicts {
  if (candidates.length === 0 || obstaclesOf(facts).length > 0) return { verdict: null, watched: [] }
  const opinions = candidates.flatMap((candidate) => {
    const opinion = opinionOf(candidate, facts)
    return opinion === null ? [] : [opinion]
  })
  const first = (found: Opinion[]): Verdict | null => {
    const [rejecting] = found.filter(({ answer }) => answer === 'reject')
    if (rejecting !== undefined) return { ...rejecting, answer: 'reject' }
    if (found.some(({ answer }) => answer === 'ask')) return null
    const [narrowest] = found.sort(byNarrowness)
    return narrowest === undefined ? null : { ...narrowest, answer: 'approve' }
  }
  const watching = opinions.filter(({ candidate }) => candidate.watches)
  return {
    verdict: first(opinions.filter(({ candidate }) => !candidate.watches)),
    watched: watching.flatMap((opinion) => {
      const { answer } = opinion
      return answer === 'ask' ? [] : [{ ...opinion, answer }]
    }),
  }
}
