/** The steps by which each part of an existing rule can change. The current value stands between what is narrower and what is wider. */
import { exactMoneyText, readMoney } from '@beak/proofs/rules/money'
import type { Constraint, Period } from '@beak/proofs/rules/rule'
import { day } from '@/lib/kernel/runtime/clock'
import { actionLabel } from '@/lib/kernel/text/shown-action'
import type { Rule, Subject } from './reads'
import {
  daysStep,
  lowerRound,
  moneyStep,
  nextRound,
  type Part,
  paramSteps,
  type Step,
  usesCounts,
  usesEachStep,
  usesStep,
  withParam,
} from './steps'

type Words = Step['words']

const has = Object.hasOwn

/** A part with its current value, which changes nothing. */
const partOf = (kind: Part['kind'], name: string, now: Words, narrower: Step[], wider: Step[]): Part => ({
  kind,
  name,
  steps: [...narrower, { words: now, change: (rule) => rule }, ...wider],
  proposed: narrower.length,
})

/** Returns what a chip says of a constraint. */
function wordsOf(constraint: Constraint): Words {
  if ('equals' in constraint) return { kind: 'value', value: String(constraint.equals) }
  if ('one_of' in constraint) return { kind: 'value', value: constraint.one_of.join(', ') }
  if ('at_most' in constraint) return { kind: 'up_to', value: String(constraint.at_most) }
  if ('at_least' in constraint) return { kind: 'from', value: String(constraint.at_least) }
  if ('between' in constraint) return { kind: 'value', value: constraint.between.join(' – ') }
  if ('domain' in constraint) return { kind: 'domain', value: constraint.domain }
  if ('path_below' in constraint) return { kind: 'folder', value: constraint.path_below }
  if ('unchanged' in constraint) return { kind: 'value', value: JSON.stringify(constraint.unchanged) }
  return { kind: 'any' }
}

/** Returns the value from which the chips of a request would widen to the constraint. Undefined: only the fields for programs change it. */
function startOf(constraint: Constraint): string | number | boolean | undefined {
  if ('equals' in constraint) return constraint.equals
  if ('at_most' in constraint) return constraint.at_most
  return 'path_below' in constraint ? constraint.path_below : undefined
}

/** Whether the chips have words and steps for all conditions of a rule. */
export const isPlain = ({ params }: Pick<Rule, 'params'>): boolean =>
  Object.values(params).every(
    (constraint) => startOf(constraint) !== undefined || 'domain' in constraint || 'any' in constraint,
  )

function paramPart(name: string, constraint: Constraint, { actions, params }: Rule): Part {
  const value = startOf(constraint)
  const currency = has(params, 'currency') ? startOf(params.currency as Constraint) : undefined
  const request = {
    action: actions[0] ?? '',
    params: { ...(currency === undefined ? {} : { currency }), [name]: value },
    requester: { duckling_id: '' },
  }
  const wider = value === undefined ? [] : paramSteps(name, value, request).slice(1)
  return partOf('param', name, wordsOf(constraint), lowerSteps(name, constraint), wider)
}

/** Returns a smaller amount or number of an upper bound. */
function lowerSteps(name: string, constraint: Constraint): Step[] {
  if (!('at_most' in constraint)) return []
  const { at_most: most } = constraint
  const money = typeof most === 'string' ? readMoney(most) : null
  const lower = lowerRound(money?.minor ?? (typeof most === 'number' ? most : 0))
  if (lower === 0) return []
  const bound = money === null ? lower : exactMoneyText({ ...money, minor: lower })
  return [{ words: { kind: 'up_to', value: String(bound) }, change: withParam(name, { at_most: bound }) }]
}

/** The agents to choose from: the viewer can move a rule only between own agents. */
function whoPart(rule: Rule, subjects: Subject[]): Part {
  const id = rule.agent_id ?? rule.operator_id ?? ''
  const now = subjects.find((subject) => subject.id === id)
  const others = now?.isOwn ? subjects.filter((subject) => subject.isOwn && subject.id !== id) : []
  const [all, agents] = [others.filter(isPerson), others.filter((subject) => !isPerson(subject))]
  const stepOf = (subject: Subject): Step => ({
    words: { kind: 'value', value: subject.name },
    change: ({ agent_id: _agent, operator_id: _operator, ...rest }) => ({
      ...rest,
      ...(isPerson(subject) ? { operator_id: subject.id } : { agent_id: subject.id }),
    }),
  })
  return partOf(
    'who',
    '',
    { kind: 'value', value: now?.name ?? id },
    [],
    [...agents.slice(0, 5).map(stepOf), ...all.map(stepOf)],
  )
}

const isPerson = ({ id }: Pick<Subject, 'id'>) => id.startsWith('DUCK-')

function whatPart({ actions }: Rule): Part {
  const value = actions.map((action) => actionLabel(action)).join(', ')
  const single = actions.length === 1 ? [] : actions
  return partOf(
    'what',
    '',
    { kind: 'value', value },
    single.map((action) => ({
      words: { kind: 'value', value: actionLabel(action) },
      change: (rule) => ({ ...rule, actions: [action] }),
    })),
    [],
  )
}

/** Returns the steps of the sizes below the current one, and of those above. */
function around(sizes: number[], now: number, step: (size: number) => Step): [Step[], Step[]] {
  return [sizes.filter((size) => size < now).map(step), sizes.filter((size) => size > now).map(step)]
}

/** The budget: of money, of uses in each period, and of uses in all. */
function budgetParts({ budget = {} }: Rule): Part[] {
  const { amount, per, uses, uses_each: each } = budget
  if (amount === undefined && uses === undefined && each === undefined)
    return [partOf('uses', '', { kind: 'any_uses' }, usesCounts.map(usesStep), [])]
  const eachStep = (count: number) => usesEachStep(count, per)
  return [
    ...(amount === undefined ? [] : [moneyPart(amount, per)]),
    ...(each === undefined
      ? []
      : [partOf('uses', '', eachStep(each).words, ...around([5, 20, 100], each, eachStep))]),
    ...(uses === undefined
      ? []
      : [partOf('uses_in_all', '', usesStep(uses).words, ...around(usesCounts, uses, usesStep))]),
  ]
}

function moneyPart(amount: string, per: Period | undefined): Part {
  const { minor, currency } = readMoney(amount) ?? { minor: 0, currency: '' }
  const rounds = [lowerRound(minor), nextRound(minor), nextRound(nextRound(minor))].filter((size) => size > 0)
  const step = (size: number) => moneyStep(exactMoneyText({ minor: size, currency }), per)
  return partOf('money', '', moneyStep(amount, per).words, ...around(rounds, minor, step))
}

const daysPart = ({ expires_in: seconds }: Rule, end: string | null): Part =>
  partOf(
    'days',
    '',
    { kind: 'same_end', day: end },
    ...around([7, 30, 90, 365], Math.round(seconds / day), daysStep),
  )

const modeStep = (mode: 'on' | 'watch'): Step => ({
  words: { kind: mode },
  change: (rule) => ({ ...rule, mode }),
})

const modePart = ({ mode }: Rule): Part =>
  mode === 'on'
    ? partOf('mode', '', { kind: 'on' }, [modeStep('watch')], [])
    : partOf('mode', '', { kind: 'watch' }, [], [modeStep('on')])

/** Returns the parts of a rule that exists: who, what, how much, the budget, until when, and whether it answers. `end`: its last day in words, null after it ended. */
export function editParts(rule: Rule, subjects: Subject[], end: string | null): Part[] {
  return [
    whoPart(rule, subjects),
    whatPart(rule),
    ...Object.entries(rule.params)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, constraint]) => paramPart(name, constraint, rule)),
    ...budgetParts(rule),
    daysPart(rule, end),
    modePart(rule),
  ]
}
