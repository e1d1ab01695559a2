/**
 * The statement of a peck: what a person approves, as one canonical text. A passkey signs its SHA-256 as the WebAuthn challenge,
 * so anybody can later check the approval against exactly these facts (contract D1). The statement contains only facts that cannot
 * change while the peck is pending: no display names and no tiers.
 */

import { type ApprovalStatement, statementText } from '@beak/client/verify/receipts/statement-text'
import type { Peck } from '@/lib/db/generated/client'
import { sha256 } from '@/lib/kernel/secrets'

/** The columns of a peck that its statement contains. */
export type StatementColumns = Pick<
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

/** Returns the statement of a peck. */
export function approvalStatement(peck: StatementColumns): ApprovalStatement {
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

/** Returns the SHA-256 of the canonical text (32 bytes): the challenge that a passkey signs. */
export function statementHash(statement: ApprovalStatement): Buffer {
  return sha256(statementText(statement))
}
