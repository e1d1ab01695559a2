import type { Tx } from '@/lib/db/client'
import type { DucklingContext } from '@/lib/kernel/context'
import { listAgentBudgets } from './agent-budget'
import { presentRule } from './schema'

/** Returns everything about the caller's rules for the export of the account, oldest first: with signatures, answers and budgets. */
export async function exportRules(tx: Tx, context: DucklingContext) {
  const { caller, now } = context
  const ofCaller = { ducklingId: caller.id }
  const rows = await tx.rule.findMany({ where: ofCaller, orderBy: { id: 'asc' } })
  const statements = await tx.ruleStatement.findMany({
    where: { ruleId: { in: rows.map(({ id }) => id) } },
    orderBy: { createdAt: 'asc' },
  })
  const uses = await tx.ruleUse.findMany({
    where: ofCaller,
    orderBy: [{ peckId: 'asc' }, { ruleId: 'asc' }],
  })
  return {
    rules: rows.map((row) => ({
      ...presentRule(row, now),
      statements: statements
        .filter(({ ruleId }) => ruleId === row.id)
        .map(({ statement, proof, createdAt }) => ({ statement, proof, created_at: createdAt })),
    })),
    rule_answers: uses.map((use) => ({
      peck_id: use.peckId,
      rule_id: use.ruleId,
      agent_id: use.agentId,
      state: use.state,
      cost: Number(use.cost),
      currency: use.currency,
      before: use.before,
      after: use.after,
      limits: use.limits,
      created_at: use.createdAt,
    })),
    agent_budgets: (await listAgentBudgets(context, tx)).items,
  }
}
