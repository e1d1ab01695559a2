import { type PasskeyProof, passkeyText } from '@beak/client/verify/receipts/schema'
import { statementText } from '@beak/client/verify/receipts/statement-text'
import { db } from '@/lib/db/client'
import { findPeck, requireVisible } from '@/lib/domain/pecks/rows'
import { statusOf } from '@/lib/domain/pecks/state'
import type { ApprovalProof } from '@/lib/domain/pecks/statements/approval-proof'
import { approvalStatement } from '@/lib/domain/pecks/statements/statement'
import { publicKeys } from '@/lib/infrastructure/keys/signing-keys'
import { numericDate, signToken } from '@/lib/infrastructure/keys/tokens'
import { config } from '@/lib/kernel/config'
import type { DucklingContext } from '@/lib/kernel/context'
import { sha256Hex } from '@/lib/kernel/secrets'
import type { ReceiptInput } from './receipt-schema'

/**
 * Returns the receipt of an approval to asker or target. Anybody can check it offline, even after the permission has ended or
 * the passkey was removed. Throws `peck_not_found`, or `peck_not_approved` with the current status.
 */
export async function peckReceipt(
  context: DucklingContext<'peck_not_found' | 'peck_not_approved'>,
  peckId: string,
): Promise<ReceiptInput> {
  const { now } = context
  const peck = requireVisible(context, await findPeck(peckId))
  if (peck.status !== 'approved' || peck.decidedAt === null)
    throw context.fail('peck_not_approved', { current_status: statusOf(peck, now) })
  const statement = approvalStatement(peck)
  const text = statementText(statement)
  const passkey = await findProof(peckId, text)
  const jws = signToken(
    'receipt',
    {
      aud: config().baseUrl,
      sub: peckId,
      iat: numericDate(now),
      decision: 'approved',
      decided_at: peck.decidedAt.toISOString(),
      grant_expires_at: peck.grantExpiresAt?.toISOString() ?? null,
      statement,
      approval: passkey === null ? null : sha256Hex(passkeyText(passkey)),
    },
    now,
  )
  return {
    peck_id: peckId,
    decided_at: peck.decidedAt,
    statement,
    statement_text: text,
    jws,
    passkey,
    jwks: { keys: publicKeys() },
  }
}

/**
 * Returns the passkey's signature on the statement, or null when there is none. A passkey that signed a statement of version 2 is only in
 * the receipt of the outcome.
 */
async function findProof(peckId: string, text: string): Promise<PasskeyProof | null> {
  const { approval } = await db().peck.findUniqueOrThrow({
    where: { id: peckId },
    select: { approval: true },
  })
  const proof = approval as ApprovalProof | null
  if (proof?.statement !== text) return null
  const { credential_id, public_key, assertion } = proof
  return { credential_id, public_key, assertion }
}
