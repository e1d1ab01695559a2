/** Reads and writes the rows of rules. */
import { canonicalText } from '@beak/proofs/canonical'
import { budgetAmount } from '@beak/proofs/rules/judge'
import type { Rule, RuleBudget, RuleStatement } from '@beak/proofs/rules/rule'
import { db, type Tx } from '@/lib/db/client'
import type { Rule as RuleRow } from '@/lib/db/generated/client'
import type { ApprovalProof } from '@/lib/domain/pecks/statements/decision-statement'
import { forbids } from '@/lib/domain/rules/end-rules'
import { announceChange } from '@/lib/domain/sessions/announce-change'
import type { DucklingContext } from '@/lib/kernel/request/context'
import { sha256Hex } from '@/lib/kernel/secrets/secrets'
import { isKnownAction } from '@/lib/kernel/text/shown-action'
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
 * Locks a living rule of the caller until the transaction ends and returns it. `renews`: also one that has expired and forbids. Call it after
 * `lockCaller`: a request locks the account before the rule that answers it. Throws `rule_not_found` or `rule_ended`.
 */
export async function lockRule(
  tx: Tx,
  context: DucklingContext<'rule_not_found' | 'rule_ended'>,
  id: string,
  { renews = false } = {},
): Promise<RuleRow> {
  await tx.run`SELECT 1 FROM "Rule" WHERE "id" = ${id} AND "ducklingId" = ${context.caller.id} FOR NO KEY UPDATE`
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

/**
 * Announces a change of a rule. The mail names the rule by what its owner chose and by actions that the service has words for: not by values, which
 * other people chose.
 */
export async function announceRule(
  tx: Tx,
  context: DucklingContext,
  change: 'rule_created' | 'rule_changed' | 'rule_paused' | 'rule_ended',
  { subjectId, actions, createdAt }: Pick<RuleRow, 'subjectId' | 'actions' | 'createdAt'>,
): Promise<void> {
  const ducklingId = context.caller.id
  const agent = await tx.agent.findFirst({ where: { id: subjectId, ducklingId }, select: { name: true } })
  announceChange(tx, context, change, '', '', {
    rule_for: agent === null ? (subjectId === ducklingId ? 'own' : 'others') : 'agent',
    agent: agent?.name ?? '',
    actions: actions.filter(isKnownAction).join(' '),
    others: String(actions.filter((action) => !isKnownAction(action)).length),
    made_at: createdAt.toISOString(),
  })
}
