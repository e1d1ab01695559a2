/** The form of a rule in the address of its page, so that the page works without scripts: what the fields say, as a rule. */
import { inexactNumbersIn } from '@beak/proofs/exact-numbers'
import { type Constraint, RuleRequest } from '@beak/proofs/rules/rule'
import { day } from '@/lib/kernel/runtime/clock'
import { asciiDigits, asciiWidth } from '@/lib/kernel/typed/digits'
import type { Rule, SentRule } from './reads'

export const constraintKinds = [
  'equals',
  'one_of',
  'at_most',
  'at_least',
  'between',
  'domain',
  'path_below',
  'any',
  'unchanged',
] as const
export type ConstraintKind = (typeof constraintKinds)[number]

export interface Row {
  name: string
  kind: ConstraintKind
  text: string
}

/** What the fields have. */
export interface Draft {
  who: string
  actions: string
  rows: Row[]
  amount: string
  per: string
  uses: string
  usesEach: string
  days: string
  answer: SentRule['answer']
  isWatching: boolean
  /** The numbers that JSON does not keep, as places in the rule: `params.order.unchanged.id`. With one of them the fields are no rule. */
  inexact: string[]
}

export type Query = Record<string, string | string[] | undefined>

/** As many rows as a rule has details, and the spare ones. */
const rowsMax = 64 + 2

/** `keep`: the time that a changed rule ends now. */
export const keepDays = 'keep'
const usualDays = 30

export function draftIn(query: Query): Draft {
  const text = (name: string) => {
    const value = query[name]
    return inField(Array.isArray(value) ? (value[0] ?? '') : (value ?? ''))
  }
  const rows = Array.from({ length: rowsMax }, (_, at) => ({
    name: text(`name${at}`),
    kind: kindOf(text(`kind${at}`)),
    text: text(`value${at}`),
  })).filter(({ name }) => name !== '')
  const answer = text('answer')
  return {
    who: text('who'),
    actions: text('actions'),
    rows,
    amount: text('amount'),
    per: text('per'),
    uses: text('uses'),
    usesEach: text('uses_each'),
    days: text('days') || String(usualDays),
    answer: answer === 'reject' || answer === 'ask' ? answer : 'approve',
    isWatching: text('mode') === 'watch',
    inexact: rows.flatMap(inexactIn),
  }
}

/** Returns a text as a field of a form sends it: on one line, without spaces around it. */
const inField = (text: string) =>
  text
    .replace(/[\r\n]/g, '')
    .replace(/\p{Cs}/gu, '\ufffd')
    .trim()

/** Returns the numbers in the JSON of a row that JSON does not keep. Other rows have no JSON: there, such a number stays the text that was typed. */
function inexactIn({ name, kind, text }: Row): string[] {
  if (kind !== 'unchanged' || jsonIn(text) === text) return []
  return inexactNumbersIn(text).map((place) => `params.${name}.unchanged${place && `.${place}`}`)
}

const kindOf = (text: string): ConstraintKind => constraintKinds.find((kind) => kind === text) ?? 'equals'

/** Returns a number that JSON keeps, a boolean, a text in quotes, or the text as it is. */
function scalarIn(text: string): string | number | boolean {
  const value = jsonIn(text)
  if (typeof value === 'number') return inexactNumbersIn(text).length === 0 ? value : text
  return typeof value === 'boolean' || typeof value === 'string' ? value : text
}

const scalarText = (value: unknown): string =>
  typeof value === 'string' && scalarIn(value) === value ? value : JSON.stringify(value)

function boundIn(text: string): string | number {
  const plain = asciiDigits(text)
  const value = scalarIn(plain)
  return typeof value === 'boolean' ? plain : value
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function constraintIn({ kind, text }: Row): Constraint {
  const parts = (separator: RegExp) => text.split(separator).map((part) => part.trim())
  switch (kind) {
    case 'equals':
      return { equals: scalarIn(text) }
    case 'one_of':
      return {
        one_of: parts(/,/)
          .filter((part) => part !== '')
          .map(scalarIn),
      }
    case 'at_most':
      return { at_most: boundIn(text) }
    case 'at_least':
      return { at_least: boundIn(text) }
    case 'between': {
      const [low = '', high = ''] = parts(/ to /)
      return { between: [boundIn(low), boundIn(high)] }
    }
    case 'domain':
      return { domain: asciiWidth(text).toLowerCase() }
    case 'path_below':
      return { path_below: text }
    case 'unchanged':
      return { unchanged: jsonIn(text) }
    case 'any':
      return { any: true }
  }
}

/** Returns the row of the form for a constraint. */
function rowOf(name: string, constraint: Constraint): Row {
  if ('equals' in constraint) return { name, kind: 'equals', text: scalarText(constraint.equals) }
  if ('one_of' in constraint)
    return { name, kind: 'one_of', text: constraint.one_of.map(scalarText).join(', ') }
  if ('at_most' in constraint) return { name, kind: 'at_most', text: String(constraint.at_most) }
  if ('at_least' in constraint) return { name, kind: 'at_least', text: String(constraint.at_least) }
  if ('between' in constraint) return { name, kind: 'between', text: constraint.between.join(' to ') }
  if ('domain' in constraint) return { name, kind: 'domain', text: constraint.domain }
  if ('path_below' in constraint) return { name, kind: 'path_below', text: constraint.path_below }
  if ('unchanged' in constraint)
    return { name, kind: 'unchanged', text: JSON.stringify(constraint.unchanged) }
  return { name, kind: 'any', text: '' }
}

/** Returns the fields of a rule. `days`: how long it holds from now on. */
export function draftOf(rule: SentRule, days = keepDays): Draft {
  return {
    who: rule.agent_id ?? rule.operator_id ?? '',
    actions: rule.actions.join(', '),
    rows: Object.entries(rule.params ?? {}).map(([name, constraint]) => rowOf(name, constraint)),
    amount: rule.budget?.amount ?? '',
    per: rule.budget?.per ?? '',
    uses: rule.budget?.uses === undefined ? '' : String(rule.budget.uses),
    usesEach: rule.budget?.uses_each === undefined ? '' : String(rule.budget.uses_each),
    days,
    answer: rule.answer,
    isWatching: rule.mode === 'watch',
    inexact: [],
  }
}

/**
 * Returns the fields of a rule that a program has put into an address (base64url of its JSON), or null when that is no rule. A rule with a number
 * that JSON does not keep has no fields but its faults.
 */
export function draftInAddress(text: string): Draft | null {
  const json = Buffer.from(text, 'base64url').toString()
  const value = jsonIn(json)
  const inexact = value === json ? [] : inexactNumbersIn(json)
  if (inexact.length > 0) return { ...draftIn({}), inexact }
  const sent = RuleRequest.safeParse(value)
  if (!sent.success) return null
  return draftOf(sent.data, String(Math.max(1, Math.ceil(sent.data.expires_in / day))))
}

/** Returns the budget that four fields name, or undefined for none. */
export function budgetIn({
  amount,
  per,
  uses,
  usesEach,
}: Pick<Draft, 'amount' | 'per' | 'uses' | 'usesEach'>) {
  const budget = {
    ...(amount === '' ? {} : { amount }),
    ...(uses === '' ? {} : { uses: Number(uses) }),
    ...(usesEach === '' ? {} : { uses_each: Number(usesEach) }),
  }
  if (Object.keys(budget).length === 0) return undefined
  const isEach = per === 'day' || per === 'week' || per === 'month'
  return isEach && (amount !== '' || usesEach !== '') ? { ...budget, per: per as 'day' } : budget
}

/**
 * Returns the details that the rows name. A row that nobody changed keeps the condition as it is: fields cannot hold each text. A name that is
 * empty in a field stays, too.
 */
function paramsIn(rows: Row[], old: Record<string, Constraint>): Record<string, Constraint> {
  const left = Object.entries(old)
  const entries = rows.map((row): [string, Constraint] => {
    const isSame = ([name, constraint]: [string, Constraint]) => {
      const { kind, text } = rowOf(name, constraint)
      return inField(name) === row.name && kind === row.kind && inField(text) === inField(row.text)
    }
    const at = left.findIndex(isSame)
    return left.splice(at, at < 0 ? 0 : 1)[0] ?? [row.name, constraintIn(row)]
  })
  return Object.fromEntries([...entries, ...left.filter(([name]) => inField(name) === '')])
}

const budgetFields = ['amount', 'per', 'uses', 'usesEach'] as const
const namesOf = (params: object) => JSON.stringify(Object.keys(params).sort())

/**
 * Returns the rule that the fields name, or null while they say neither who nor what, or have a faulty number. `old`: the rule that is changed.
 * What nobody changed stays as it is, with the reasons of risk while its actions and the names of its details are the same.
 */
export function ruleIn(draft: Draft, old?: Rule): SentRule | null {
  const before = old === undefined ? undefined : draftOf(old)
  const isSame = (name: 'who' | 'actions' | (typeof budgetFields)[number]) =>
    before !== undefined && inField(before[name]) === draft[name]
  const typed = [...new Set(draft.actions.split(/[\s,]+/).filter((action) => action !== ''))]
  const actions = isSame('actions') ? (old?.actions ?? []) : typed
  if (draft.who === '' || actions.length === 0 || draft.inexact.length > 0) return null
  const budget = budgetFields.every(isSame) ? old?.budget : budgetIn(draft)
  const params = paramsIn(draft.rows, old?.params ?? {})
  const keepsReasons = isSame('actions') && namesOf(params) === namesOf(old?.params ?? {})
  const usual = old?.expires_in ?? usualDays * day
  return {
    ...(draft.who.startsWith('DUCK-') ? { operator_id: draft.who } : { agent_id: draft.who }),
    actions,
    params,
    ...(budget === undefined ? {} : { budget }),
    ...(keepsReasons ? { reasons: old?.reasons } : {}),
    expires_in: draft.days === keepDays ? usual : Number(draft.days) * day || usual,
    answer: draft.answer,
    mode: draft.isWatching ? 'watch' : 'on',
  }
}
