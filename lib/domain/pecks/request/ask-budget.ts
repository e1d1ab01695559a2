/** The budget of requests a day of an operator and all its agents to one target (contract F, Askers). */
import type { Tx } from '@/lib/db/client'
import { insertAtEnd } from '@/lib/db/transaction'
import { type BudgetColumns, nextTokenAt, tokenTaking } from '@/lib/infrastructure/budgets/budget'

interface Pair {
  requesterDucklingId: string
  targetDucklingId: string
}

export const askBudgetKey = ({ requesterDucklingId, targetDucklingId }: Pair): string =>
  `${requesterDucklingId} ${targetDucklingId}`

/** A person's own agents have no budget: the person can suspend them. */
const hasBudget = ({ requesterDucklingId, targetDucklingId }: Pair): boolean =>
  requesterDucklingId !== targetDucklingId

/** Returns when the operator may send the next request, or null when it may send one now. */
export function nextAskAt(pair: Pair, budget: BudgetColumns, now: Date): Date | null {
  return hasBudget(pair) ? nextTokenAt('ask', budget, now) : null
}

/**
 * Takes a request from the budget, at the end of the transaction. Call it under the lock of operator and target, after `nextAskAt`, so that
 * no other request takes the same token.
 */
export function spendAsk(tx: Tx, pair: Pair, now: Date): void {
  if (hasBudget(pair)) insertAtEnd(tx, tokenTaking('ask', askBudgetKey(pair), now))
}
