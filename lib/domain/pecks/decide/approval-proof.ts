import { statementText } from '@beak/client/verify/receipts/statement-text'
import { transaction } from '@/lib/db/transaction'
import { recordPasskeyUse, refusePasskey, verifyAssertion } from '@/lib/domain/passkeys/assertion'
import { readClientData } from '@/lib/domain/passkeys/client-data'
import type { AssertionCredential } from '@/lib/domain/passkeys/schema'
import type { DucklingContext } from '@/lib/kernel/context'
import { approvalStatement, type StatementColumns, statementHash } from './statement'

/** The part of a receipt that lets anybody check offline what was approved, and with which key (contract D1). */
export interface ApprovalProof {
  /** Canonical text of the peck's statement. Its SHA-256 is the challenge that the passkey signed. */
  statement: string
  passkey_id: string
  credential_id: string
  /** COSE key as base64url. */
  public_key: string
  /** The authenticator's output as base64url. */
  assertion: { authenticatorData: string; clientDataJSON: string; signature: string }
}

/**
 * Verifies that the caller's passkey signed this peck, over a challenge from POST /beak/passkey/challenge, and spends that
 * challenge. Call it before the transaction that approves the peck. That transaction checks the state of the peck, so the proof
 * alone grants nothing. Throws `passkey_refused`.
 */
export async function verifyApproval(
  context: DucklingContext<'passkey_refused'>,
  peck: StatementColumns,
  credential: AssertionCredential,
): Promise<ApprovalProof> {
  const { authenticatorData, clientDataJSON, signature } = credential.response
  const statement = approvalStatement(peck)
  const expected = statementHash(statement).toString('base64url')
  if (readClientData(clientDataJSON)?.challenge !== expected) throw refusePasskey(context, 'challenge')
  const proven = await verifyAssertion(context, credential, {
    purpose: 'approve',
    ducklingId: context.caller.id,
    peckId: peck.id,
  })
  await transaction((tx) => recordPasskeyUse(tx, context, proven))
  const { passkey } = proven
  return {
    statement: statementText(statement),
    passkey_id: passkey.id,
    credential_id: passkey.credentialId,
    public_key: Buffer.from(passkey.publicKey).toString('base64url'),
    assertion: { authenticatorData, clientDataJSON, signature },
  }
}
