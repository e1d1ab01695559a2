/** The steps by which each part of a rule widens, from the values of one request. The narrowest comes first. */
import { hasSecret } from '@beak/decision/secret-values'
import { costOf, isPayment, satisfies } from '@beak/proofs/rules/judge'
import { type ExactMoney, exactMoneyText, moneyOfParam } from '@beak/proofs/rules/money'
import { hostIn, normalPath } from '@beak/proofs/rules/places'
import type { Constraint, Period } from '@beak/proofs/rules/rule'
import { day } from '@/lib/kernel/runtime/clock'
import { mayBeAny } from '@/lib/kernel/text/same-look'
import type { SentRule } from './reads'

/** What a step says on its chip. `value`: in the words of the asker. */
export type StepWords =
  | { kind: 'value'; value: string }
  | { kind: 'up_to'; value: string }
  | { kind: 'domain'; value: string }
  | { kind: 'folder'; value: string }
  | { kind: 'any' }
  | { kind: 'agent' }
  | { kind: 'all_agents' }
  | { kind: 'own_agents' }
  | { kind: 'from'; value: string }
  | { kind: 'money'; value: string; per: Period | undefined }
  | { kind: 'uses'; count: number }
  | { kind: 'uses_each'; count: number; per: Period }
  | { kind: 'any_uses' | 'on' | 'watch' }
  /** `day`: null when the rule has ended, and begins again for as long as before. */
  | { kind: 'same_end'; day: string | null }
  | { kind: 'days'; count: number }

export interface Step {
  words: StepWords
  change: (rule: SentRule) => SentRule
}

/** A part of a rule that can be widened on its own. */
export interface Part {
  /** `param`: named by `name`. */
  kind: 'who' | 'what' | 'param' | 'money' | 'uses' | 'uses_in_all' | 'days' | 'mode'
  name: string
  steps: Step[]
  /** The step that the page proposes, unless it is the narrowest. */
  proposed?: number
}

export interface AskedRequest {
  action: string
  params: Record<string, unknown>
  requester: { duckling_id: string; agent_id?: string | undefined }
  target_duckling_id?: string | undefined
  risk?: { reasons: { rule: string; level: string }[] } | undefined
  /** How often the person approved the same in the last 90 days. */
  approved?: number | undefined
}

/** Longer texts cannot be compared with `equals`. */
const equalsMax = 500
const unchangedMax = 4000

/** Returns the smallest of these times a power of ten that is greater. `factors`: ascending, from 1 to 10. */
export function nextRound(size: number, factors = [1, 2, 5, 10]): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(size, 1)))
  const isRound = (round: number) => round > size && Number.isInteger(round)
  return factors.map((factor) => factor * power).find(isRound) ?? 10 * power
}

/** Returns the largest of 1, 2 and 5 times a power of ten that is smaller, or 0. */
export function lowerRound(size: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(size - 1, 1)))
  return [5, 2, 1].map((factor) => factor * power).find((round) => round < size) ?? 0
}

export const withParam =
  (name: string, constraint: Constraint) =>
  (rule: SentRule): SentRule => ({ ...rule, params: { ...rule.params, [name]: constraint } })

/** What changes how dangerous an action is, and the group of a branch, which is there instead of the branch. */
const fixed: ReadonlySet<string> = new Set(['force', 'branches'])

/** Returns the steps of one param. Empty: no rule should name the value, because it is too long or a secret. */
export function paramSteps(name: string, value: unknown, { action, params }: AskedRequest): Step[] {
  if (hasSecret(name, value)) return []
  const beside = Object.hasOwn(params, 'currency') ? params.currency : undefined
  const isPaid = isPayment({ action, params })
  const step = (words: StepWords, constraint: Constraint): Step => ({
    words,
    change: withParam(name, constraint),
  })
  const exact = exactStep(value)
  const first = exact === null ? [] : [step({ kind: 'value', value: exact.text }, exact.constraint)]
  const isCurrency = name === 'currency'
  const isOpen =
    !isCurrency && !fixed.has(name) && mayBeAny(name) && satisfies(value, { any: true }, beside, isPaid)
  return [
    ...first,
    ...(isCurrency ? [] : widerSteps(value, beside).map(({ words, constraint }) => step(words, constraint))),
    ...(isOpen ? [step({ kind: 'any' }, { any: true })] : []),
  ]
}

function exactStep(value: unknown): { text: string; constraint: Constraint } | null {
  if (typeof value === 'number' || typeof value === 'boolean')
    return { text: String(value), constraint: { equals: value } }
  if (typeof value === 'string' && value.length <= equalsMax)
    return { text: value, constraint: { equals: value } }
  const text = JSON.stringify(value) ?? ''
  return text.length > unchangedMax ? null : { text, constraint: { unchanged: value } }
}

interface Wider {
  words: StepWords
  constraint: Constraint
}

function widerSteps(value: unknown, beside: unknown): Wider[] {
  const money = moneyOfParam(value, beside)
  if (money !== null) {
    const first = nextRound(money.minor)
    return [first, nextRound(first)].map((minor) => {
      const text = exactMoneyText({ minor, currency: money.currency })
      return { words: { kind: 'up_to', value: text }, constraint: { at_most: text } }
    })
  }
  if (typeof value === 'number' && value > 0 && beside === undefined) {
    const first = nextRound(value)
    return [first, nextRound(first)].map((most) => ({
      words: { kind: 'up_to', value: String(most) },
      constraint: { at_most: most },
    }))
  }
  if (typeof value !== 'string') return []
  const host = hostIn(value)
  if (host !== null && host !== value)
    return [{ words: { kind: 'domain', value: host }, constraint: { domain: host } }]
  return foldersOf(value).map((folder) => ({
    words: { kind: 'folder', value: folder },
    constraint: { path_below: folder },
  }))
}

/** Returns the folder of a path and the one above it, but never the root. */
function foldersOf(path: string): string[] {
  const parts = normalPath(path)?.split('/').slice(1) ?? []
  return [1, 2]
    .map((up) => parts.slice(0, Math.max(0, parts.length - up)))
    .filter(({ length }) => length > 0)
    .map((left) => `/${left.join('/')}`)
}

export const usesCounts = [10, 50, 200]
const usesADay = 20
const daysSteps = [30, 90, 365]

/** Whether a coding agent asks for one plain push without force. */
const isPush = ({ action, params }: AskedRequest): boolean =>
  action === 'git:push' && params.force === false && typeof params.repository === 'string'

/**
 * Returns the reasons of risk that a rule for pushes accepts: those of this push. Its text is open, so the service finds none in the rule. A high
 * risk, such as a text with force or a second command, is never answered by a rule.
 */
const reasonsOf = (request: AskedRequest) =>
  isPush(request) && request.risk !== undefined
    ? { reasons: request.risk.reasons.filter(({ level }) => level !== 'high').map(({ rule }) => rule) }
    : {}

/** Returns the narrowest rule of a request, which the steps then change. */
const narrowest = (request: AskedRequest): SentRule => ({
  agent_id: request.requester.agent_id ?? '',
  actions: [request.action],
  ...reasonsOf(request),
  params: {},
  budget: {},
  expires_in: 30 * day,
  answer: 'approve',
})

/** Returns the parts of a rule that answers requests like this one, or null when a value can be in no rule. */
export function partsOf(request: AskedRequest): Part[] | null {
  const { params, requester } = request
  const names = Object.keys(params).sort()
  const ofParams = names.map(
    (name): Part => ({ kind: 'param', name, steps: paramSteps(name, params[name], request) }),
  )
  if (ofParams.some(({ steps }) => steps.length === 0)) return null
  // With a budget of money, an amount that cannot be read exactly is unclear. Its size does not matter here.
  const money = costOf({ ...wholeRule(request), budget: { amount: '€1.00' } }, params)
  if (money === 'unclear') return null
  return [
    {
      kind: 'who',
      name: '',
      steps: [
        { words: { kind: 'agent' }, change: (rule) => rule },
        {
          words: { kind: requester.duckling_id === request.target_duckling_id ? 'own_agents' : 'all_agents' },
          change: ({ agent_id: _, ...rule }) => ({ ...rule, operator_id: requester.duckling_id }),
        },
      ],
    },
    ...ofParams,
    // One budget is enough to read: of money where money is spent, and of uses otherwise.
    money === null ? usesPart : moneyPart(money, timesAMonth(request)),
    daysPart,
  ]
}

export const usesStep = (count: number): Step => ({
  words: { kind: 'uses', count },
  change: (rule) => ({ ...rule, budget: { ...rule.budget, uses: count } }),
})

export const usesEachStep = (count: number, per: Period = 'day'): Step => ({
  words: { kind: 'uses_each', count, per },
  change: (rule) => ({ ...rule, budget: { ...rule.budget, uses_each: count, per } }),
})

const usesPart: Part = {
  kind: 'uses',
  name: '',
  steps: [...usesCounts.map(usesStep), usesEachStep(usesADay)],
}

export const daysStep = (count: number): Step => ({
  words: { kind: 'days', count },
  change: (rule) => ({ ...rule, expires_in: count * day }),
})

/** How long the rule holds. */
export const daysPart: Part = {
  kind: 'days',
  name: '',
  steps: daysSteps.map(daysStep),
}

const wholeRule = (request: AskedRequest) => ({
  ...narrowest(request),
  reasons: [],
  mode: 'on' as const,
  expires_in: 30 * day,
  params: {},
})

export const moneyStep = (amount: string, per?: Period): Step => ({
  words: { kind: 'money', value: amount, per },
  change: (rule) => ({ ...rule, budget: { ...rule.budget, amount, ...(per === undefined ? {} : { per }) } }),
})

/** Steps of money a month. One of them is enough for `times` requests of this amount. */
function moneyPart({ minor, currency }: ExactMoney, times: number): Part {
  const once = nextRound(minor)
  const enough = Math.max(once, enoughFor(minor, times))
  const rounds = [...new Set([once, enough, nextRound(enough), nextRound(nextRound(enough))])].slice(0, 3)
  return {
    kind: 'money',
    name: '',
    steps: rounds.map((most) => moneyStep(exactMoneyText({ minor: most, currency }), 'month')),
    proposed: rounds.indexOf(enough),
  }
}

/** Finer than the steps, so that what is proposed allows little more than what was asked so far. */
const fineFactors = [1, 2, 2.5, 5, 10]

/** Returns the smallest round amount that is enough for so many requests. */
const enoughFor = (minor: number, times: number) => nextRound(minor * times - 1, fineFactors)

/** How often a month a rule should answer, from the approvals of 90 days. A budget that is over after one request would ask again. */
const timesAMonth = ({ approved = 0 }: AskedRequest) => Math.max(2, Math.ceil(approved / 3))

/**
 * Returns the steps that the page proposes first. The narrowest, except for money, whose proposal is enough for as many requests a month as the
 * person approved before, and for a push of a coding agent: pushes to branches of this group in this repository, without force, 20 a day. The
 * text of its command is open, because only a plain push is `git:push` (docs: Claude Code and Codex).
 */
export function proposedSteps(request: AskedRequest, parts: Part[]): number[] {
  const isGroup = isPush(request) && typeof request.params.branches === 'string'
  const isWide = ({ kind, name }: Part) =>
    isGroup && (kind === 'uses' || (kind === 'param' && ['branch', 'line'].includes(name)))
  return parts.map((part) => part.proposed ?? (isWide(part) ? part.steps.length - 1 : 0))
}

/**
 * Returns which step each part has, from the text in the address: "0.2.1". A missing or wrong number is the narrowest step. Without a text, they
 * are the proposed ones.
 */
export function chosenSteps(parts: Part[], text: string, proposed: number[] = []): number[] {
  const given = text === '' ? proposed : text.split('.').map(Number)
  return parts.map(({ steps }, at) => {
    const step = given[at] ?? 0
    return Number.isInteger(step) && step >= 0 && step < steps.length ? step : 0
  })
}

/** Returns the rule of a request with these steps. */
export const ruleWith = (request: AskedRequest, parts: Part[], chosen: number[]): SentRule =>
  withSteps(narrowest(request), parts, chosen)

/** Returns a rule with these steps. */
export const withSteps = (start: SentRule, parts: Part[], chosen: number[]): SentRule =>
  parts.reduce((rule, { steps }, at) => steps[chosen[at] ?? 0]?.change(rule) ?? rule, start)
