/** What a receipt says about the rule that decided (docs/receipts/format.md). */
import type { RuleProof } from '@beak/proofs/receipts/outcome-schema'
import type { RuleSpent, RuleStatement } from '@beak/proofs/rules/rule'
import type { Tx } from '@/lib/db/client'
import type { PeckRow } from '@/lib/domain/pecks/rows'
import type { ApprovalProof } from '@/lib/domain/pecks/statements/decision-statement'
import { proveEnrolment } from '@/lib/domain/tlog/prove-logged'

type Limits = RuleProof['budget']['limits']

interface StoredUse {
  statement: string
  proof: ApprovalProof
  cost: string
  currency: string | null
  period: string | null
  before: RuleSpent
  after: RuleSpent
  limits: Limits
}

/** Returns the signed rule that decided a peck and its budget of that time, or null when a person decided. */
export async function ruleOfReceipt(
  tx: Tx,
  { id, ruleId, targetDucklingId }: Pick<PeckRow, 'id' | 'ruleId' | 'targetDucklingId'>,
): Promise<RuleProof | null> {
  if (ruleId === null) return null
  const [use] = await tx.rows<StoredUse>`
    SELECT s."statement", s."proof", u."cost"::text AS "cost", u."currency", u."period", u."before", u."after", u."limits"
    FROM "RuleUse" u JOIN "RuleStatement" s ON s."id" = u."statementId"
    WHERE u."peckId" = ${id} AND u."ruleId" = ${ruleId}`
  if (use === undefined) return null
  const { passkey_id: passkeyId, credential_id, public_key, assertion, endorsements = [] } = use.proof
  const { log } = JSON.parse(use.statement) as RuleStatement
  const enrolled = {
    ducklingId: targetDucklingId,
    passkeyId,
    credentialId: credential_id,
    publicKey: public_key,
  }
  return {
    statement_text: use.statement,
    passkey: { credential_id, public_key, assertion, endorsements },
    enrolment: log && (await proveEnrolment(tx, { ...enrolled, log })),
    budget: {
      currency: use.cost === '0' ? null : use.currency,
      cost: Number(use.cost),
      period: use.period,
      before: use.before,
      after: use.after,
      limits: use.limits,
    },
  }
}
