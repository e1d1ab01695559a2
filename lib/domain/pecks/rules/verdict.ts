/**
 * Decides whether a rule of the target answers a new request. Whether a request lies within a rule says the judge that
 * verifiers of receipts use, too. Here is what only the service knows: the risk, the asker and the account of the target.
 */

import { currencyCode } from '@beak/decision/display/currencies'
import { findMoney, minorMoney } from '@beak/decision/display/money'
import { isFreeText } from '@beak/decision/free-text'
import { moneyNameOf } from '@beak/decision/money-names'
import type { RiskReason } from '@beak/decision/risk/levels'
import { riskVersion } from '@beak/decision/risk/rules'
import { hasSecret } from '@beak/decision/secret-values'
import { isTestRequest } from '@beak/decision/test-request'
import { costOf, type JudgedRequest, judge } from '@beak/proofs/rules/judge'
import type { ExactMoney } from '@beak/proofs/rules/money'
import type { Rule } from '@beak/proofs/rules/rule'
import type { AgentBudgetTerms } from '@/lib/domain/rules/charge'
import type { CandidateRule, Verdict } from '@/lib/domain/rules/end-rules'
import { isOpen, nearMisses } from '@/lib/kernel/closeness/near-misses'
import { reaches, type Tier } from '@/lib/kernel/request/tier'
import { mayBeAny } from '@/lib/kernel/text/same-look'
import { byNarrowness } from './narrow'
import { oddBounds } from './normal-form'

/** The part of a risk that decides. `earlier`: the reasons of version 1, absent in a stored risk. */
interface JudgedRisk {
  level: RiskReason['level']
  reasons: Pick<RiskReason, 'rule' | 'level'>[]
  earlier?: Pick<RiskReason, 'rule' | 'level'>[]
}

/** What decides besides the rules themselves. */
export interface AskedFacts {
  request: JudgedRequest & { requireSigned: boolean; targetDucklingId: string }
  risk: JudgedRisk
  /** Whether the target has permitted something to this asker before. An answer to free text permits nothing. */
  knowsAsker: boolean
  isBlocked: boolean
  targetTier: Tier
  /** Whether the address of the target is verified and the account is not suspended. */
  targetVerified: boolean
  targetRequiresPasskey: boolean
  targetApprover: 'high' | 'all' | null
  rulesPausedAt: Date | null
  /** The budget of the agent over all rules. Null: there is none. */
  agentBudget: Pick<AgentBudgetTerms, 'currency'> | null
}

/** The lowest tier of the target at which rules answer its own agents, and those of others. */
export const ruleTiers = { own: 'T1', others: 'T2' } as const

/** Tells whether the values that a rule leaves open are neither money nor secrets in any form that the service knows. */
export function isOpenOnlyForHarmless(rule: Rule, params: JudgedRequest['params']): boolean {
  const beside = { currency: currencyCode(params.currency), unit: params.unit }
  return Object.entries(params).every(([name, value]) => {
    // The page shows such an amount, and the judge does not count it: a budget would lose it.
    const isUncounted = name !== 'amount' && minorMoney(name, value, beside) !== null
    if (isUncounted && (isOpen(rule, name) || rule.budget?.amount !== undefined)) return false
    if (!isOpen(rule, name)) return true
    const { amounts, isUnclear } = findMoney(value, moneyNameOf(name))
    return mayBeAny(name) && amounts.length === 0 && !isUnclear && !hasSecret(name, value)
  })
}

/**
 * Tells whether the cost of a request has all its money. The page and the risk read more forms than the judge ("40,00 EUR", a number as `total`), and a
 * payment may name no amount: a budget of money would count less than the agent gets, or nothing. Amounts inside of lists are items of a sum.
 */
export function isWholeCost(
  rule: Rule,
  { params }: Pick<JudgedRequest, 'params'>,
  cost: ExactMoney | null,
  { reasons }: Pick<JudgedRisk, 'reasons'>,
): boolean {
  if (cost === null) return !reasons.some((reason) => reason.rule === 'money')
  const currency = currencyCode(params.currency)
  const beside = Object.hasOwn(params, 'currency') ? { currency: params.currency } : {}
  return Object.entries(params).every(([name, value]) => {
    const counted = costOf(rule, { ...beside, [name]: value })
    if (counted !== null && counted !== 'unclear') return true
    const { amounts, isUnclear } = findMoney(value, moneyNameOf(name), currency)
    return (
      amounts.length === 0 && !isUnclear && minorMoney(name, value, { currency, unit: params.unit }) === null
    )
  })
}

/** Why no rule answers a request, whatever it says. docs/rules.md explains each. */
const obstacles = [
  'person',
  'scope',
  'signed',
  'test',
  'free_text',
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
export function obstaclesOf(facts: Omit<AskedFacts, 'agentBudget'>): Obstacle[] {
  const { request, risk, targetTier } = facts
  const isOwn = request.requester.duckling_id === request.targetDucklingId
  const applies: Record<Obstacle, boolean> = {
    person: request.requester.agent_id === null,
    scope: request.scope !== 'limited',
    signed: request.requireSigned,
    test: isTestRequest(request.action),
    free_text: isFreeText(request.action),
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

/**
 * Returns the reasons for risk of a request that a rule does not accept. Who asks to be asked need not accept one. A rule keeps the medium
 * reasons of the version of the rules of risk under which it was signed: newer ones neither stop it nor let it answer more.
 */
export function unnamedReasons(rule: Rule, risk: JudgedRisk, signedUnder = riskVersion): string[] {
  if (rule.answer === 'ask') return []
  const reasons = signedUnder < riskVersion ? (risk.earlier ?? risk.reasons) : risk.reasons
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

/**
 * Returns what a rule says about a request, or null when the request does not lie within it. A rule that rejects or asks says "ask" when the
 * request is only close to it: otherwise an agent could avoid it and reach a rule that approves. Ignores the budget.
 */
function opinionOf(
  candidate: CandidateRule,
  { request, risk, agentBudget }: Pick<AskedFacts, 'request' | 'risk' | 'agentBudget'>,
): Opinion | null {
  const rule = JSON.parse(candidate.rule) as Rule
  const judged = judge(rule, request)
  const isCounted =
    rule.answer === 'approve' && (rule.budget?.amount ?? agentBudget?.currency ?? null) !== null
  const isWhole =
    judged.fits &&
    (!isCounted || isWholeCost(rule, request, judged.cost, risk)) &&
    oddBounds(rule).length === 0 &&
    isOpenOnlyForHarmless(rule, request.params) &&
    unnamedReasons(rule, risk, candidate.riskVersion).length === 0
  if (isWhole) return { candidate, rule, answer: rule.answer, cost: judged.cost }
  const isClose = nearMisses(rule, request, judged.fits ? [] : judged.misses) !== null
  return isClose ? { candidate, rule, answer: 'ask', cost: null } : null
}

/**
 * Returns the rule that answered requests like this one until the rules of risk changed: only a high reason that is newer than its signature
 * stops it. Null: there is none, or its owner was told.
 */
export function stoppedByRisk(candidates: readonly CandidateRule[], facts: AskedFacts): CandidateRule | null {
  const { risk } = facts
  const isNew = risk.level === 'high' && risk.earlier?.every(({ level }) => level !== 'high') === true
  if (!isNew || obstaclesOf(facts).some((obstacle) => obstacle !== 'high_risk')) return null
  const untold = candidates.filter(
    (candidate) =>
      candidate.answers &&
      !candidate.watches &&
      candidate.riskVersion < riskVersion &&
      candidate.reportedRisk !== riskVersion,
  )
  return untold.find((candidate) => isAnswer(opinionOf(candidate, facts))) ?? null
}

const isAnswer = (opinion: Opinion | null) => opinion !== null && opinion.answer !== 'ask'

/** What the rules say about a request. */
export interface Verdicts {
  /** The answer. Null: the person answers. */
  verdict: Verdict | null
  /** What rules that only watch would have answered. */
  watched: Verdict[]
}

/**
 * Returns the answer of the rules. Rejecting wins over asking, and asking over approving. Of several that approve, the narrowest counts. It is
 * the only one that is charged, even when nothing is left of its budget. A rule that does not answer now asks instead.
 */
export function verdictsOf(candidates: readonly CandidateRule[], facts: AskedFacts): Verdicts {
  if (candidates.length === 0 || obstaclesOf(facts).length > 0) return { verdict: null, watched: [] }
  const opinions = candidates.flatMap((candidate) => {
    const opinion = opinionOf(candidate, facts)
    return opinion === null ? [] : [opinion]
  })
  const first = (found: Opinion[]): Verdict | null => {
    const [rejecting] = found.filter(({ answer, candidate }) => answer === 'reject' && candidate.answers)
    if (rejecting !== undefined) return { ...rejecting, answer: 'reject' }
    if (found.some(({ answer }) => answer !== 'approve')) return null
    const [narrowest] = found.sort(byNarrowness)
    return narrowest?.candidate.answers ? { ...narrowest, answer: 'approve' } : null
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
