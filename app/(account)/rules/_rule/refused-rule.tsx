import { exactMoneyText, readMoney } from '@beak/proofs/rules/money'
import { explain } from '@/app/_web/form'
import type { Problem } from '@/app/_web/problem'
import { Notice } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import { day, readClock } from '@/lib/kernel/runtime/clock'
import { keptText } from '@/lib/kernel/text/kept-values'
import type { PresentedRule, Rule } from './reads'

/** Why the fields make no rule yet: each fault with its field, or what the service says. */
export function RefusedRule({ problem }: { problem: Problem }) {
  const errors = problem.errors ?? []
  return (
    <Notice tone="warn" title={m.rules_not_a_rule_yet()}>
      {errors.length === 0 ? (
        explain(problem)
      ) : (
        <ul className="list-disc ps-5">
          {errors.map(({ field, message }) => (
            <li key={`${field} ${message}`} className="wrap-anywhere">
              {m.rules_field_fault({ field: shownField(field), message })}
            </li>
          ))}
        </ul>
      )}
    </Notice>
  )
}

/** "rule.params.amount.at_most" is "amount". */
function shownField(field: string): string {
  const [, first = '', second] = field.split('.')
  const labels: Record<string, () => string> = {
    actions: m.rules_actions,
    agent_id: m.rules_agent,
    operator_id: m.rules_agent,
    budget: m.rules_budget,
  }
  return first === 'params' && second !== undefined ? second : (labels[first]?.() ?? m.rules_back_to_rule())
}

/** Narrower forms of a rule, each one tap away. */

interface Narrower {
  label: string
  rule: Rule
}

/** Returns the narrower rules to choose from, without those that would stop at once. `expires_in` never reaches beyond the end of the rule: the service keeps the earlier one. */
export function narrowerRules({ rule, expires_at, left, used }: PresentedRule): Narrower[] {
  const budget = rule.budget ?? {}
  const money = budget.amount === undefined ? null : readMoney(budget.amount)
  const half = money === null ? 0 : Math.floor(money.minor / 2)
  const amount = money === null ? '' : exactMoneyText({ minor: half, currency: money.currency })
  const spent = (money?.minor ?? 0) - (readMoney(left.amount ?? '')?.minor ?? 0)
  const uses = Math.floor((budget.uses ?? 0) / 2)
  const inWeek = 7 * day
  const isLong = Date.parse(expires_at) - readClock().getTime() > inWeek * 1000
  return [
    ...(half > spent
      ? [
          {
            label: keptText(m.rules_narrow_amount, { amount, per: budget.per ?? 'all' }),
            rule: { ...rule, budget: { ...budget, amount } },
          },
        ]
      : []),
    ...(uses > used.uses
      ? [{ label: m.rules_narrow_uses({ count: uses }), rule: { ...rule, budget: { ...budget, uses } } }]
      : []),
    ...(isLong ? [{ label: m.rules_narrow_week(), rule: { ...rule, expires_in: inWeek } }] : []),
    ...(rule.mode === 'on'
      ? [{ label: m.rules_narrow_watch(), rule: { ...rule, mode: 'watch' as const } }]
      : []),
  ]
}
