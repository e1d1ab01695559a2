/** Reads and writes the rows of rules. */
import { canonicalText } from '@beak/proofs/canonical'
import { budgetAmount } from '@beak/proofs/rules/judge'
import type { Rule, RuleBudget, RuleStatement } from '@beak/proofs/rules/rule'
import { db, type Tx } from '@/lib/db/client'
import type { Rule as RuleRow } from '@/lib/db/generated/client'
import type { ApprovalProof } from '@/lib/domain/pecks/statements/decision-statement'
import { forbids } from '@/lib/domain/rules/end-rules'
import type { DucklingContext } from '@/lib/kernel/request/context'
import { sha256Hex } from '@/lib/kernel/secrets/secrets'
import { statusOfRule } from './schema'

/** Returns a rule of the caller. Throws `rule_not_found`. */
export async function findRule(
  { caller, fail }: DucklingContext<'rule_not_found'>,
  id: string,
  tx: Tx = db(),
): Promise<RuleRow> {
  const row = await tx.rule.findFirst({ where: { id, ducklingId: caller.id } })
  if (row === null) throw fail('rule_not_found')
  return row
}

/**
 * Locks the row of a rule of the caller before the account, because a request that the rule answers locks them in this order. Else the two could
 * wait for each other.
 */
export async function lockRuleFirst(tx: Tx, { caller }: DucklingContext, id: string): Promise<void> {
  await tx.run`SELECT 1 FROM "Rule" WHERE "id" = ${id} AND "ducklingId" = ${caller.id} FOR NO KEY UPDATE`
}

/**
 * Locks a living rule of the caller until the transaction ends and returns it. `renews`: also one that has expired and forbids. Throws
 * `rule_not_found` or `rule_ended`.
 */
export async function lockRule(
  tx: Tx,
  context: DucklingContext<'rule_not_found' | 'rule_ended'>,
  id: string,
  { renews = false } = {},
): Promise<RuleRow> {
  await lockRuleFirst(tx, context, id)
  const row = await findRule(context, id, tx)
  const status = statusOfRule(row, context.now)
  if (status === 'ended' || (status === 'expired' && !(renews && forbids(row))))
    throw context.fail('rule_ended', { current_status: status })
  return row
}

/** Returns the columns that follow from a rule. */
export function columnsOf(rule: Rule) {
  return {
    subjectId: rule.agent_id ?? rule.operator_id ?? '',
    actions: rule.actions,
    rule: canonicalText(rule),
    answer: rule.answer,
    watches: rule.mode === 'watch',
    ...limitsOf(rule.budget),
  }
}

/** Returns the columns of the limits of a budget, of a rule or of an agent. */
export function limitsOf(budget: RuleBudget | undefined) {
  const money = budgetAmount({ budget })
  return {
    maxUses: budget?.uses ?? null,
    maxPeriodUses: budget?.uses_each ?? null,
    maxAmount: money === null ? null : BigInt(money.minor),
    currency: money?.currency ?? null,
    per: budget?.per ?? null,
  }
}

/** A rule that a passkey of the caller has signed. */
export interface SignedRule {
  text: string
  statement: RuleStatement
  proof: ApprovalProof
}

/** Stores what the passkey signed, and returns its id. */
export async function storeStatement(
  tx: Tx,
  { text, statement, proof }: SignedRule,
  now: Date,
): Promise<string> {
  const id = sha256Hex(text)
  await tx.ruleStatement.create({
    data: { id, ruleId: statement.rule_id, statement: text, proof: proof as object, createdAt: now },
  })
  return id
}
