/** Words about rules: the chips of the steps, the states, and why a rule does not answer. */
import { visible } from '@beak/decision/visible'
import { readMoney } from '@beak/proofs/rules/money'
import type { Tone } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import { kept, keptText } from '@/lib/kernel/text/kept-values'
import { nameLabel } from '../../pecks/_values/name-words'
import type { PresentedRule, Rehearsal } from './reads'
import type { Part, StepWords } from './steps'

const shownMax = 60

const shortened = (text: string) => visible(text.length > shownMax ? `${text.slice(0, shownMax)}…` : text)

/** Returns what a chip says. */
export function stepText(words: StepWords): string {
  switch (words.kind) {
    case 'value':
      return shortened(words.value)
    case 'up_to':
      return m.rules_step_up_to({ value: words.value })
    case 'from':
      return m.rules_step_from({ value: words.value })
    case 'domain':
      return m.rules_step_domain({ domain: words.value })
    case 'folder':
      return m.rules_step_folder({ folder: shortened(words.value) })
    case 'any':
      return m.rules_step_any()
    case 'agent':
      return m.rules_step_agent()
    case 'all_agents':
      return m.rules_step_all_agents()
    case 'own_agents':
      return m.rules_all_your_agents()
    case 'money':
      return m.rules_step_money({ amount: words.value, per: words.per ?? 'all' })
    case 'uses':
      return m.rules_step_uses({ count: words.count })
    case 'uses_each':
      return m.rules_step_uses_each({ count: words.count, per: words.per })
    case 'any_uses':
      return m.rules_step_any_uses()
    case 'same_end':
      return words.day === null ? m.rules_end_as_before() : m.rules_end_now({ day: words.day })
    case 'on':
      return m.rules_mode_on()
    case 'watch':
      return m.rules_mode_watch()
    case 'days':
      return m.common_in_days({ count: words.count })
  }
}

/** Returns the label of a row of chips. */
export function partLabel({ kind, name }: Part): string {
  if (kind === 'param') return nameLabel(visible(name))
  return {
    who: m.rules_part_who,
    what: m.rules_part_what,
    money: m.rules_budget,
    uses: m.rules_part_uses,
    uses_in_all: m.rules_part_at_most,
    days: m.rules_fact_ends,
    mode: m.rules_mode,
  }[kind]()
}

type Why = Rehearsal['others'][number]['why'][number]

const whyWords: Record<string, () => string> = {
  asker: m.rules_why_asker,
  action: m.rules_why_action,
  scope: m.rules_why_scope,
  money: m.rules_why_money,
  person: m.rules_why_person,
  signed: m.rules_why_signed,
  test: m.rules_why_test,
  high_risk: m.rules_why_high_risk,
  first_contact: m.rules_why_first_contact,
  blocked: m.rules_why_blocked,
  address: m.rules_why_address,
  passkey_demanded: m.rules_why_passkey_demanded,
  paused: m.rules_all_paused,
  tier: m.rules_why_tier,
  risk: m.rules_why_risk,
  budget: m.rules_why_budget,
}

/** Returns why a rule does not answer a request, as one sentence. */
function whyText({ why, param }: Why): string {
  const name = param === undefined ? '' : nameLabel(visible(param))
  if (why === 'unnamed') return keptText(m.rules_why_unnamed, { name })
  if (why === 'close') return keptText(m.rules_why_close, { name })
  if (why === 'missing') return keptText(m.rules_why_missing, { name })
  if (why === 'value') return name === '' ? m.rules_why_open() : keptText(m.rules_why_value, { name })
  return whyWords[why]?.() ?? m.rules_why_other()
}

/** Returns why a rule does not answer a request, with marks around names. Of another agent or action, the details say nothing more. */
export function whySentence(why: Why[]): string {
  const first = why.filter(({ why: name }) => name === 'asker' || name === 'action')
  return (first.length > 0 ? first : why).map(whyText).join(' ')
}

/** Returns the state of a rule in a word. A rule that is on may only watch, or all rules may be paused. */
export function stateBadge(
  { status, rule }: Pick<PresentedRule, 'status' | 'rule'>,
  areAllPaused: boolean,
): { label: string; tone: Tone } {
  if (status === 'ended') return { label: m.rules_fact_ended(), tone: 'neutral' }
  if (status === 'expired') return { label: m.rules_state_expired(), tone: 'neutral' }
  if (status === 'paused' || areAllPaused) return { label: m.rules_state_paused(), tone: 'warn' }
  return rule.mode === 'watch'
    ? { label: m.rules_state_watching(), tone: 'accent' }
    : { label: m.rules_state_on(), tone: 'good' }
}

export const isLiving = ({ status }: Pick<PresentedRule, 'status'>) => status === 'on' || status === 'paused'

/** Whether a bar shows what is left of the budget. A rule that only watches uses nothing up. */
export const hasBar = (rule: Pick<PresentedRule, 'status' | 'rule'>) =>
  isLiving(rule) && rule.rule.mode === 'on'

/** Whether the person is asked what a rule would answer, because it has expired and rejects or asks. */
export const isExpiredAndAsks = ({ status, rule }: Pick<PresentedRule, 'status' | 'rule'>): boolean =>
  status === 'expired' && rule.answer !== 'approve' && rule.mode === 'on'

/** Whether nothing is left of the budget of a rule that is on. */
export function isSpent({ status, left }: Pick<PresentedRule, 'status' | 'left'>): boolean {
  const isMoneyOver = left.amount !== null && readMoney(left.amount)?.minor === 0
  return status === 'on' && (left.uses === 0 || left.uses_each === 0 || isMoneyOver)
}

const periodWords = { day: m.rules_left_day, week: m.rules_left_week, month: m.rules_left_month }

/** Returns what is left of a budget, with marks around amounts: "€62.00 of €100.00 this month", "3 of 10 times". */
export function leftTexts({
  budget,
  left,
}: {
  budget: PresentedRule['rule']['budget'] | null
  left: PresentedRule['left']
}): string[] {
  if (budget === undefined || budget === null) return []
  const when = (text: string) => (budget.per === undefined ? text : periodWords[budget.per]({ left: text }))
  const times = (rest: number, most: number) => m.rules_left_times({ rest, count: most })
  return [
    ...(budget.amount === undefined || left.amount === null
      ? []
      : [when(m.rules_left_of({ rest: kept(left.amount), most: kept(budget.amount) }))]),
    ...(budget.uses_each === undefined || left.uses_each === null
      ? []
      : [when(times(left.uses_each, budget.uses_each))]),
    ...(budget.uses === undefined || left.uses === null ? [] : [times(left.uses, budget.uses)]),
  ]
}

/** Returns the smallest part of a budget that is left, from 0 to 1, or null without a budget. */
export function leftShare({ budget, left }: Parameters<typeof leftTexts>[0]): number | null {
  if (budget === undefined || budget === null) return null
  const number = (text: string | null | undefined) => Number((text ?? '').replace(/[^\d.]/g, ''))
  const shares = [
    ...(budget.amount === undefined ? [] : [number(left.amount) / (number(budget.amount) || 1)]),
    ...(budget.uses === undefined ? [] : [(left.uses ?? 0) / budget.uses]),
    ...(budget.uses_each === undefined ? [] : [(left.uses_each ?? 0) / budget.uses_each]),
  ]
  return shares.length === 0 ? null : Math.min(1, ...shares)
}
