/** Narrower forms of a rule, each one tap away. */
import { exactMoneyText, readMoney } from '@beak/client/verify/rules/money'
import { day, readClock } from '@/lib/kernel/clock'
import { m } from '@/lib/kernel/messages'
import type { PresentedRule, Rule } from './reads'

interface Narrower {
  label: string
  rule: Rule
}

/** Returns the narrower rules to choose from. `expires_in` never reaches beyond the end of the rule: the service keeps the earlier one. */
export function narrowerRules({ rule, expires_at }: PresentedRule): Narrower[] {
  const budget = rule.budget ?? {}
  const money = budget.amount === undefined ? null : readMoney(budget.amount)
  const half = money === null ? 0 : Math.floor(money.minor / 2)
  const amount = money === null ? '' : exactMoneyText({ minor: half, currency: money.currency })
  const uses = Math.floor((budget.uses ?? 0) / 2)
  const inWeek = 7 * day
  const isLong = Date.parse(expires_at) - readClock().getTime() > inWeek * 1000
  return [
    ...(half > 0
      ? [{ label: m.rules_narrow_amount({ amount }), rule: { ...rule, budget: { ...budget, amount } } }]
      : []),
    ...(uses > 0
      ? [{ label: m.rules_narrow_uses({ count: uses }), rule: { ...rule, budget: { ...budget, uses } } }]
      : []),
    ...(isLong ? [{ label: m.rules_narrow_week(), rule: { ...rule, expires_in: inWeek } }] : []),
    ...(rule.mode === 'on'
      ? [{ label: m.rules_narrow_watch(), rule: { ...rule, mode: 'watch' as const } }]
      : []),
  ]
}
