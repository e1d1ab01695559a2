/** A rule in few words, for lists: "pay an invoice to shop@example.com, up to €100.00 a month". Its page has the whole sentence. */

import { sends } from '@beak/decision/naming-names'
import { visible } from '@beak/decision/visible'
import type { Constraint } from '@beak/proofs/rules/rule'
import { m } from '@/lib/kernel/messages'
import { kept, keptAction, keptText } from '@/lib/kernel/text/kept-values'
import { shownAction } from '@/lib/kernel/text/shown-action'
import type { PresentedRule, Rule } from './reads'

/** What a rule does with requests now, and in this order: what allows something comes first. */
const effects = ['allows', 'asks', 'rejects', 'watches', 'paused'] as const
type Effect = (typeof effects)[number]

const labelled: Record<Exclude<Effect, 'allows'>, (values: { rules: string }) => string> = {
  asks: m.rules_short_asks,
  rejects: m.rules_short_rejects,
  watches: m.rules_short_watches,
  paused: m.rules_short_paused,
}

type Shown = Pick<PresentedRule, 'status' | 'rule'>
type LeftShown = Pick<PresentedRule, 'status' | 'rule' | 'left'>

function effectOf({ status, rule }: Shown, areAllPaused: boolean): Effect {
  if (status === 'paused' || areAllPaused) return 'paused'
  if (rule.mode === 'watch') return 'watches'
  // Its requests wait until the owner renews or ends the rule.
  if (status === 'expired') return 'asks'
  if (rule.answer === 'approve') return 'allows'
  return rule.answer === 'reject' ? 'rejects' : 'asks'
}

/** Returns the rules in the order of what they do. Those that allow something come first. */
export function allowingFirst<R extends Shown>(rules: R[], areAllPaused: boolean): R[] {
  const rank = (rule: R) => effects.indexOf(effectOf(rule, areAllPaused))
  return rules.toSorted((left, right) => rank(left) - rank(right))
}

/** Whom the action may reach, as one value. Null: there is no such value, or it stands for something else than a recipient. */
function recipientOf({ actions, params }: Rule): string | null {
  const { to } = params
  if (to === undefined || !actions.every((action) => sends(action.split(':')[0] ?? ''))) return null
  if ('equals' in to && typeof to.equals === 'string') return visible(to.equals)
  return 'domain' in to ? m.rules_step_domain({ domain: to.domain }) : null
}

function eachAmount(amount: Constraint | undefined): string | null {
  if (amount === undefined) return null
  const most = 'at_most' in amount ? amount.at_most : 'equals' in amount ? amount.equals : null
  return typeof most === 'string' ? visible(most) : null
}

/** Returns a rule in few words, with marks around values. It leaves out what allows anything, and says that there are more conditions. */
function shortRule(rule: Rule): string {
  const { budget } = rule
  const action = rule.actions.map((one) => keptAction(shownAction(one))).join(', ')
  const recipient = recipientOf(rule)
  const each = budget?.amount === undefined ? eachAmount(rule.params.amount) : null
  const said = new Set([
    ...(recipient === null ? [] : ['to']),
    // What is left of the budget bounds each amount.
    ...(each === null && budget?.amount === undefined ? [] : ['amount']),
  ])
  const hasMore = Object.entries(rule.params).some(([name, value]) => !said.has(name) && !('any' in value))
  return [
    recipient === null ? action : keptText(m.rules_short_to, { what: action, recipient }),
    ...(budget?.amount === undefined
      ? []
      : [keptText(m.rules_short_amount, { amount: budget.amount, per: budget.per ?? 'all' })]),
    ...(each === null ? [] : [keptText(m.rules_short_each, { amount: each })]),
    ...(budget?.uses_each === undefined || budget.per === undefined
      ? []
      : [m.rules_step_uses_each({ count: budget.uses_each, per: budget.per })]),
    ...(budget?.uses === undefined ? [] : [m.rules_step_uses({ count: budget.uses })]),
    ...(hasMore ? [m.rules_short_conditions()] : []),
  ].join(', ')
}

/** Returns the rules in few words, with marks around values: what they allow, and then, said in words, what they reject, ask and watch. */
export function shortRules(rules: Shown[], areAllPaused: boolean): string[] {
  return [...new Set(allowingFirst(rules, areAllPaused).map((rule) => effectText(rule, areAllPaused)))]
}

function effectText(rule: Shown, areAllPaused: boolean): string {
  const effect = effectOf(rule, areAllPaused)
  const text = shortRule(rule.rule)
  return effect === 'allows' ? text : labelled[effect]({ rules: text })
}

/** Returns what the rules allow without asking and how much of it is left, and apart from it what they do else. */
export function shortRulesWithLeft(rules: LeftShown[], areAllPaused: boolean) {
  const allowing = rules.filter((rule) => effectOf(rule, areAllPaused) === 'allows')
  const withLeft = ({ rule, left: { amount } }: LeftShown) =>
    amount === null ? shortRule(rule) : m.rules_short_left({ what: shortRule(rule), rest: kept(amount) })
  return {
    allows: allowing.map(withLeft),
    others: shortRules(
      rules.filter((rule) => !allowing.includes(rule)),
      areAllPaused,
    ),
  }
}
