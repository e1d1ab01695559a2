/** What an agent may know of rules that answer its requests, so that it can plan (contract C, Rules). */
import { z } from 'zod'
import { db } from '@/lib/db/client'
import type { Rule as RuleRow } from '@/lib/db/generated/client'
import { ruleSentence } from '@/lib/domain/rules/sentence'
import type { AgentCaller, Context } from '@/lib/kernel/context'
import { instant } from '@/lib/kernel/fields'
import { budgetLeft, RuleLeft, readRule } from './schema'

export const AgentRules = z
  .object({
    rules: z.array(
      z.object({
        rule_id: z.string(),
        target_duckling_id: z.string().meta({ description: 'Whose requests the rule answers.' }),
        sentence: z.string().meta({ description: 'The rule in words.' }),
        actions: z.array(z.string()),
        answer: z.enum(['approve', 'reject', 'ask']),
        left: RuleLeft,
        expires_at: instant,
      }),
    ),
    budgets: z
      .array(z.object({ target_duckling_id: z.string(), left: RuleLeft }))
      .meta({ description: 'What all rules of a person together may still allow the agent.' }),
  })
  .meta({ id: 'AgentRules' })

const rulesMax = 100

/**
 * Returns the rules that apply to the calling agent: those of its operator, and those of others that have answered it before. Until then, nobody
 * learns what somebody else allows.
 */
export async function listAgentRules({
  caller,
  now,
}: Context<AgentCaller>): Promise<z.input<typeof AgentRules>> {
  const { id: operatorId, agentId } = caller
  const rules = await db().rows<RuleRow>`
    SELECT r.* FROM "Rule" r JOIN "Duckling" d ON d."id" = r."ducklingId" AND d."rulesPausedAt" IS NULL
    WHERE r."subjectId" IN (${agentId}, ${operatorId}) AND r."status" = 'on' AND NOT r."watches" AND r."expiresAt" > ${now}::timestamptz
      AND (r."ducklingId" = ${operatorId} OR EXISTS (
        SELECT 1 FROM "RuleUse" u WHERE u."ruleId" = r."id" AND u."agentId" = ${agentId} AND u."state" <> 'watched'))
    ORDER BY r."id" LIMIT ${rulesMax}`
  const targets = [...new Set([operatorId, ...rules.map(({ ducklingId }) => ducklingId)])]
  const budgets = await db().agentBudget.findMany({
    where: { agentId, ducklingId: { in: targets } },
    orderBy: { ducklingId: 'asc' },
  })
  return {
    rules: rules.map((row) => presentForAgent(row, now)),
    budgets: budgets.map((row) => ({ target_duckling_id: row.ducklingId, left: budgetLeft(row, now) })),
  }
}

function presentForAgent(row: RuleRow, now: Date): z.input<typeof AgentRules>['rules'][number] {
  const { actions, answer } = row
  return {
    rule_id: row.id,
    target_duckling_id: row.ducklingId,
    sentence: ruleSentence(readRule(row), row.expiresAt),
    actions,
    answer,
    left: budgetLeft(row, now),
    expires_at: row.expiresAt,
  }
}
