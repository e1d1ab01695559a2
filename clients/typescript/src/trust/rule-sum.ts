/**
 * Sums what a shop has accepted by a rule. How much of the budget was spent before is the word of the service, and `before` of receipts cannot be
 * compared: unused permissions lower it, and uses arrive in another order. So the shop counts itself, by the statement that the passkey signed.
 */
import { digestOf } from '../verify/receipts/decision-statement'
import type { RuleFacts } from '../verify/receipts/rule'
import { budgetAmount } from '../verify/rules/judge'
import type { Rule } from '../verify/rules/rule'
import type { UsedStore } from './used-store'

/** What a shop has accepted by one statement of a rule. A rule without periods has one, whose name is empty. */
interface RuleSum {
  uses: number
  /** Money is in the minor unit of the currency of the budget. */
  periods: Record<string, { uses: number; amount: number }>
}

const nothing: RuleSum = { uses: 0, periods: {} }

/** A store that can sum. */
export type SummingStore = UsedStore & Required<Pick<UsedStore, 'replace'>>

export const canSum = (store: UsedStore | undefined): store is SummingStore => store?.replace !== undefined

/**
 * Adds one use to the sum of a rule in one step, unless the sum would exceed what the signed rule allows. Returns whether it did. The caller adds
 * each permission once. The sum is kept: until when it is needed depends on the policies of all shops that share the store.
 */
export async function addUse(
  store: SummingStore,
  { statement, budget }: Pick<RuleFacts, 'statement' | 'budget'>,
): Promise<boolean> {
  const key = `rule:${digestOf(statement)}`
  for (;;) {
    const kept = await store.claim(key, JSON.stringify(nothing))
    const sum = sumAfter(kept, statement.rule, budget)
    if (sum === null) return false
    if (await store.replace(key, kept, sum)) return true
  }
}

/** Returns the text of the sum with one more use, or null when the rule does not allow it. Throws for a text that is no sum. */
function sumAfter(
  kept: string,
  { budget: limits = {} }: Rule,
  { cost, period }: Pick<RuleFacts['budget'], 'cost' | 'period'>,
): string | null {
  const sum = JSON.parse(kept) as RuleSum
  // The service may narrow a rule without periods to periods, but the person signed none.
  const name = limits.per === undefined ? '' : (period ?? '')
  const before = sum.periods[name] ?? { uses: 0, amount: 0 }
  const uses = sum.uses + 1
  const after = { uses: before.uses + 1, amount: before.amount + cost }
  const isWithin =
    uses <= (limits.uses ?? Number.POSITIVE_INFINITY) &&
    after.uses <= (limits.uses_each ?? Number.POSITIVE_INFINITY) &&
    after.amount <= (budgetAmount({ budget: limits })?.minor ?? Number.POSITIVE_INFINITY)
  return isWithin ? JSON.stringify({ uses, periods: { ...sum.periods, [name]: after } }) : null
}
