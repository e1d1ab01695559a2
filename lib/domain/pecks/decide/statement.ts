/**
 * What a person approves, as one canonical text. A passkey signs its SHA-256 (the challenge of the WebAuthn ceremony), so
 * an approval can be checked later by anybody against exactly these facts (contract D1). Only what cannot change while the
 * peck is pending stands here: no display names, no tiers.
 */
import type { Peck } from '@/lib/db/generated/client'
import { sha256 } from '@/lib/kernel/secrets'
import { type ApprovalStatement, statementText } from '@/lib/proofs/receipts/statement-text'

/** The columns of a peck that its statement is made of. */
export type Stated = Pick<
  Peck,
  | 'id'
  | 'action'
  | 'scope'
  | 'paramsHash'
  | 'requesterDucklingId'
  | 'requesterAgentId'
  | 'targetDucklingId'
  | 'createdAt'
  | 'expiresAt'
  | 'grantSeconds'
>

/** The facts the target decides on. */
export function approvalStatement(peck: Stated): ApprovalStatement {
  return {
    type: 'beak.peck.approval',
    version: 1,
    peck_id: peck.id,
    action: peck.action,
    scope: peck.scope,
    params_hash: peck.paramsHash,
    requester: { duckling_id: peck.requesterDucklingId, agent_id: peck.requesterAgentId },
    target_duckling_id: peck.targetDucklingId,
    created_at: peck.createdAt.toISOString(),
    expires_at: peck.expiresAt.toISOString(),
    grant_seconds: peck.grantSeconds,
  }
}

/** SHA-256 of the canonical text, 32 bytes: the challenge a passkey signs. */
export function statementHash(statement: ApprovalStatement): Buffer {
  return sha256(statementText(statement))
}
