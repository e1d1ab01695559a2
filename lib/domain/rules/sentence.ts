/**
 * The sentence of a rule, in English. A passkey signs it with the rule, so that one version gives one text: no names of people or agents, no
 * `Intl`, and every value in quotes that it cannot leave. The signed statement is stored with its sentence, so these words may become better.
 */

import { dayWords } from '@beak/decision/display/date'
import { actionWords } from '@beak/decision/display/display'
import { sends } from '@beak/decision/naming-names'
import { exactMoneyText, readMoney } from '@beak/proofs/rules/money'
import type { Constraint, Rule } from '@beak/proofs/rules/rule'

/** A name or value in quotes. JSON escapes quotes and line breaks, and the rest is escaped when it cannot be seen. */
const quoted = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[\p{C}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  )

const nameText = (name: string): string => (/^[A-Za-z][\w-]{0,63}$/.test(name) ? name : quoted(name))

const boundText = (bound: string | number): string => String(bound)

function constraintText(constraint: Exclude<Constraint, { any: true }>): string {
  if ('equals' in constraint) return `is ${quoted(constraint.equals)}`
  if ('one_of' in constraint) return `is one of ${constraint.one_of.map(quoted).join(', ')}`
  if ('at_most' in constraint) return `is at most ${boundText(constraint.at_most)}`
  if ('at_least' in constraint) return `is at least ${boundText(constraint.at_least)}`
  if ('between' in constraint) {
    const [low, high] = constraint.between
    return `is from ${boundText(low)} to ${boundText(high)}`
  }
  if ('domain' in constraint) return `is at ${constraint.domain} or its subdomains`
  if ('path_below' in constraint) return `is below the folder ${quoted(constraint.path_below)}`
  return `is exactly ${quoted(constraint.unchanged)}`
}

/** Joins texts as people say them: "a, b and c". */
const list = (texts: string[], and = 'and'): string =>
  texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} ${and} ${texts.at(-1)}`

/** Returns an amount as it is written, or null for any other value: what reads as one needs no quotes. */
function moneyText(value: unknown): string | null {
  const money = typeof value === 'string' ? readMoney(value) : null
  return money !== null && exactMoneyText(money) === value ? value : null
}

const moneyTexts = (values: readonly unknown[]): string[] | null => {
  const texts = values.map(moneyText)
  return texts.every((text) => text !== null) ? texts : null
}

/** How much the amount may be: "for at most €50.00". Null: its constraint is said as that of any other param. */
function amountPhrase(constraint: Constraint): string | null {
  const say = (values: readonly unknown[], words: (texts: string[]) => string) => {
    const texts = moneyTexts(values)
    return texts === null ? null : `for ${words(texts)}`
  }
  if ('equals' in constraint) return say([constraint.equals], ([text]) => `exactly ${text}`)
  if ('one_of' in constraint) return say(constraint.one_of, (texts) => list(texts, 'or'))
  if ('at_most' in constraint) return say([constraint.at_most], ([text]) => `at most ${text}`)
  if ('at_least' in constraint) return say([constraint.at_least], ([text]) => `at least ${text}`)
  if ('between' in constraint) return say(constraint.between, ([low, high]) => `${low} to ${high}`)
  return null
}

/** Whom the action may reach: `to "shop@example.com"`. */
function recipientPhrase(constraint: Constraint): string | null {
  if ('equals' in constraint) return `to ${quoted(constraint.equals)}`
  if ('one_of' in constraint) return `to ${list(constraint.one_of.map(quoted), 'or')}`
  if ('domain' in constraint) return `to an address at ${constraint.domain} or its subdomains`
  return null
}

/** How a param is said directly behind the action. Null: behind "when". `to` names whom the action reaches only after a verb that sends. */
function phraseOf(name: string, constraint: Constraint, actions: string[]): string | null {
  if (name === 'amount') return amountPhrase(constraint)
  const reaches = name === 'to' && actions.every((action) => sends(action.split(':')[0] ?? ''))
  return reaches ? recipientPhrase(constraint) : null
}

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`)

function budgetText({ budget }: Pick<Rule, 'budget'>): string[] {
  const each = budget?.per === undefined ? 'in all' : `a ${budget.per}`
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

/** A rule that only watches. */
const notes = {
  approve: 'Still ask me, and note what this would approve',
  reject: 'Still ask me, and note what this would reject',
  ask: 'Still ask me, and note what this would always ask',
} as const

/** "Friday 25 December 2026" without its weekday. */
const dayText = (at: Date): string => dayWords(at.toISOString().slice(0, 10))?.replace(/^\S+ /, '') ?? ''

/**
 * Returns the rule in words: `Approve without asking me: pay an invoice, for at most €50.00, to "shop@example.com". At most €100.00 a month. Until
 * 25 December 2026.` Names each param: an amount and whom the action reaches directly behind the action, and all others behind "when". Params that
 * may be anything come last, in one phrase, but are still named: a request with a param that the rule does not name waits.
 */
export function ruleSentence(rule: Rule, expiresAt: Date): string {
  const whats = list(rule.actions.map((action) => actionWords(action)))
  const params = Object.entries(rule.params).sort(([left], [right]) => (left < right ? -1 : 1))
  const phrases: string[] = []
  const whens: string[] = []
  const free: string[] = []
  for (const [name, constraint] of params) {
    const phrase = phraseOf(name, constraint, rule.actions)
    if (phrase !== null) phrases.push(`, ${phrase}`)
    else if ('any' in constraint) free.push(nameText(name))
    else whens.push(`${nameText(name)} ${constraintText(constraint)}`)
  }
  const when =
    params.length === 0
      ? ', when the request has no details'
      : whens.length === 0
        ? ''
        : `, when ${list(whens)}`
  const any = free.length === 0 ? '' : `, with any value for ${list(free)}`
  const limits = budgetText(rule)
  const most = limits.length === 0 ? '' : ` ${capital(list(limits))}.`
  const answer = (rule.mode === 'watch' ? notes : answers)[rule.answer]
  return `${answer}: ${whats}${phrases.join('')}${when}${any}.${most} Until ${dayText(expiresAt)}.`
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Returns the `reason` of an answer that a rule gave. */
export function ruleReason({ rule, expiresAt }: { rule: string; expiresAt: string }): string {
  return ruleSentence(JSON.parse(rule) as Rule, new Date(expiresAt))
}
