/** Deletes the rules of an account. What they answered stays with the requests of others, as proof for their receipts (docs/privacy.md). */
import type { Tx } from '@/lib/db/client'

export async function eraseRules(tx: Tx, ducklingId: string): Promise<void> {
  await tx.ruleUse.deleteMany({ where: { ducklingId, state: 'watched' } })
  await tx.run`
    DELETE FROM "RuleStatement" s USING "Rule" r WHERE r."id" = s."ruleId" AND r."ducklingId" = ${ducklingId}
      AND NOT EXISTS (SELECT 1 FROM "RuleUse" u WHERE u."ruleId" = r."id" AND u."statementId" = s."id")`
  await tx.rule.deleteMany({ where: { ducklingId } })
  await tx.ruleReport.deleteMany({ where: { ducklingId } })
  await tx.agentBudget.deleteMany({ where: { ducklingId } })
}
