/**
 * The sentence of a rule, in English. A passkey signs it with the rule, so the same rule must always give the same text: no names of people or
 * agents, no `Intl`, and every value in quotes that it cannot leave.
 */

import { actionWords } from '@beak/decision/display/display'
import type { Constraint, Rule } from '@beak/proofs/rules/rule'

/** A name or value in quotes. JSON escapes quotes and line breaks, and the rest is escaped when it cannot be seen. */
const quoted = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[\p{C}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  )

const nameText = (name: string): string => (/^[A-Za-z][\w-]{0,63}$/.test(name) ? name : quoted(name))

const boundText = (bound: string | number): string => String(bound)

function constraintText(constraint: Constraint): string {
  if ('equals' in constraint) return `is ${quoted(constraint.equals)}`
  if ('one_of' in constraint) return `is one of ${constraint.one_of.map(quoted).join(', ')}`
  if ('at_most' in constraint) return `is at most ${boundText(constraint.at_most)}`
  if ('at_least' in constraint) return `is at least ${boundText(constraint.at_least)}`
  if ('between' in constraint) {
    const [low, high] = constraint.between
    return `is from ${boundText(low)} to ${boundText(high)}`
  }
  if ('domain' in constraint) return `is at ${constraint.domain} or below it`
  if ('path_below' in constraint) return `is below the folder ${quoted(constraint.path_below)}`
  if ('unchanged' in constraint) return `is exactly ${quoted(constraint.unchanged)}`
  return 'is anything'
}

/** Joins texts as people say them: "a, b and c". */
const list = (texts: string[]): string =>
  texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`)

function budgetText({ budget }: Pick<Rule, 'budget'>): string[] {
  const each = budget?.per === undefined ? 'in all' : `each ${budget.per}`
  return [
    ...(budget?.amount === undefined ? [] : [`at most ${budget.amount} ${each}`]),
    ...(budget?.uses_each === undefined ? [] : [`at most ${times(budget.uses_each)} ${each}`]),
    ...(budget?.uses === undefined ? [] : [`at most ${times(budget.uses)} in all`]),
  ]
}

const answers = {
  approve: 'Approve without asking me',
  reject: 'Reject without asking me',
  ask: 'Always ask me',
} as const

/** Returns the rule in words: "Approve without asking me: pay an invoice, when amount is at most €50.00. At most €100.00 each month. Until 2026-12-25." */
export function ruleSentence(rule: Rule, expiresAt: Date): string {
  const whats = list(rule.actions.map((action) => actionWords(action)))
  const whens = Object.entries(rule.params)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, constraint]) => `${nameText(name)} ${constraintText(constraint)}`)
  const when = whens.length === 0 ? ', when the request has no details' : `, when ${list(whens)}`
  const limits = budgetText(rule)
  const most = limits.length === 0 ? '' : ` ${capital(list(limits))}.`
  const watching = rule.mode === 'watch' ? 'Only record, and still ask me. ' : ''
  return `${watching}${answers[rule.answer]}: ${whats}${when}.${most} Until ${expiresAt.toISOString().slice(0, 10)}.`
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Returns the `reason` of an answer that a rule gave. */
export function ruleReason({ rule, expiresAt }: { rule: string; expiresAt: string }): string {
  return ruleSentence(JSON.parse(rule) as Rule, new Date(expiresAt))
}
