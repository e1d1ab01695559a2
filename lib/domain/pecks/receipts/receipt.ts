import { PasskeyProof, passkeyText, ReceiptFile, Statement } from '@beak/proofs/receipts/schema'
import { statementText } from '@beak/proofs/receipts/statement-text'
import { z } from 'zod'
import { db } from '@/lib/db/client'
import { findPeck, requireVisible } from '@/lib/domain/pecks/rows'
import { statusOf } from '@/lib/domain/pecks/state'
import { type ApprovalProof, approvalStatement } from '@/lib/domain/pecks/statements/decision-statement'
import { Jwks } from '@/lib/infrastructure/keys/key-set'
import { publicKeys } from '@/lib/infrastructure/keys/signing-keys'
import { numericDate, signToken } from '@/lib/infrastructure/keys/tokens'
import { config } from '@/lib/kernel/config'
import type { DucklingContext } from '@/lib/kernel/request/context'
import { instant } from '@/lib/kernel/request/fields'
import { sha256Hex } from '@/lib/kernel/secrets/secrets'

const { shape } = ReceiptFile

/** A receipt as the API answers it: the receipt that the verifier reads, described for the reference. */
export const Receipt = z
  .strictObject({
    ...shape,
    decided_at: instant,
    statement: Statement.meta({ id: 'ApprovalStatement' }),
    statement_text: shape.statement_text.meta({
      description:
        'Canonical JSON (RFC 8785) of the statement. Its SHA-256 is the challenge that the passkey signed.',
    }),
    jws: shape.jws.meta({
      description:
        'Signature of the service: a JWT (`peck-receipt+jwt`, EdDSA) about statement, decision and passkey.',
    }),
    passkey: PasskeyProof.meta({ id: 'PasskeyProof' }).nullable().meta({
      description:
        'null when no passkey signed this statement. A passkey may have signed version 2: see GET /beak/peck/outcome.',
    }),
    jwks: Jwks,
  })
  .meta({ id: 'Receipt' })

type ReceiptInput = z.input<typeof Receipt>

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
