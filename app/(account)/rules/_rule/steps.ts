/** The steps by which each part of a rule widens, from the values of one request. The narrowest comes first. */
import { hasSecret } from '@beak/decision/secret-values'
import { costOf, isPayment, satisfies } from '@beak/proofs/rules/judge'
import { exactMoneyText, moneyOfParam } from '@beak/proofs/rules/money'
import { hostIn, normalPath } from '@beak/proofs/rules/places'
import type { Constraint } from '@beak/proofs/rules/rule'
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
  | { kind: 'money'; value: string }
  | { kind: 'uses'; count: number }
  | { kind: 'days'; count: number }

interface Step {
  words: StepWords
  change: (rule: SentRule) => SentRule
}

/** A part of a rule that can be widened on its own. */
export interface Part {
  /** `param`: named by `name`. */
  kind: 'who' | 'param' | 'money' | 'uses' | 'days'
  name: string
  steps: Step[]
}

export interface AskedRequest {
  action: string
  params: Record<string, unknown>
  requester: { duckling_id: string; agent_id?: string | undefined }
}

/** Longer texts cannot be compared with `equals`. */
const equalsMax = 500
const unchangedMax = 4000

/** Returns the smallest of 1, 2 and 5 times a power of ten that is greater. */
export function nextRound(size: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(size, 1)))
  return [1, 2, 5, 10].map((factor) => factor * power).find((round) => round > size) ?? 10 * power
}

const withParam =
  (name: string, constraint: Constraint) =>
  (rule: SentRule): SentRule => ({ ...rule, params: { ...rule.params, [name]: constraint } })

/** Returns the steps of one param. Empty: no rule should name the value, because it is too long or a secret. */
function paramSteps(name: string, value: unknown, { action, params }: AskedRequest): Step[] {
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
  const isOpen = !isCurrency && mayBeAny(name) && satisfies(value, { any: true }, beside, isPaid)
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

const usesSteps = [10, 50, 200]
const daysSteps = [30, 90, 365]

/** Returns the narrowest rule of a request, which the steps then change. */
const narrowest = ({ action, requester }: AskedRequest): SentRule => ({
  agent_id: requester.agent_id ?? '',
  actions: [action],
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
          words: { kind: 'all_agents' },
          change: ({ agent_id: _, ...rule }) => ({ ...rule, operator_id: requester.duckling_id }),
        },
      ],
    },
    ...ofParams,
    ...(money === null ? [] : [moneyPart(money)]),
    {
      kind: 'uses',
      name: '',
      steps: usesSteps.map((count) => ({
        words: { kind: 'uses', count },
        change: (rule) => ({ ...rule, budget: { ...rule.budget, uses: count } }),
      })),
    },
    {
      kind: 'days',
      name: '',
      steps: daysSteps.map((count) => ({
        words: { kind: 'days', count },
        change: (rule) => ({ ...rule, expires_in: count * day }),
      })),
    },
  ]
}

const wholeRule = (request: AskedRequest) => ({
  ...narrowest(request),
  reasons: [],
  mode: 'on' as const,
  expires_in: 30 * day,
  params: {},
})

function moneyPart({ minor, currency }: { minor: number; currency: string }): Part {
  const first = nextRound(minor)
  const second = nextRound(first)
  return {
    kind: 'money',
    name: '',
    steps: [first, second, nextRound(second)].map((most) => {
      const amount = exactMoneyText({ minor: most, currency })
      return {
        words: { kind: 'money', value: amount },
        change: (rule) => ({ ...rule, budget: { ...rule.budget, amount, per: 'month' } }),
      }
    }),
  }
}

/** Returns which step each part has, from the text in the address: "0.2.1". A missing or wrong number is the narrowest step. */
export function chosenSteps(parts: Part[], text: string): number[] {
  const given = text.split('.').map(Number)
  return parts.map(({ steps }, at) => {
    const step = given[at] ?? 0
    return Number.isInteger(step) && step >= 0 && step < steps.length ? step : 0
  })
}

/** Returns the rule with these steps. */
export function ruleWith(request: AskedRequest, parts: Part[], chosen: number[]): SentRule {
  return parts.reduce(
    (rule, { steps }, at) => steps[chosen[at] ?? 0]?.change(rule) ?? rule,
    narrowest(request),
  )
}
