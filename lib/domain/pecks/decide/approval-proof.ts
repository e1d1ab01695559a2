import { transaction } from '@/lib/db/transaction'
import { recordPasskeyUse, refusePasskey, verifyAssertion } from '@/lib/domain/passkeys/assertion'
import { readClientData } from '@/lib/domain/passkeys/client-data'
import type { AssertionCredential } from '@/lib/domain/passkeys/schema'
import type { DucklingContext } from '@/lib/kernel/context'
import { statementText } from '@/lib/proofs/receipts/statement-text'
import { approvalStatement, type Stated, statementHash } from './statement'

/** What a receipt needs so that anybody can check offline what exactly was approved, and with which key (contract D1). */
export interface ApprovalProof {
  /** Canonical text of the peck's statement; its SHA-256 is the challenge that was signed. */
  statement: string
  passkey_id: string
  credential_id: string
  /** COSE key, base64url. */
  public_key: string
  /** Base64url, as the authenticator gave them. */
  assertion: { authenticatorData: string; clientDataJSON: string; signature: string }
}

/**
 * Verifies that the caller's passkey signed this very peck, over a challenge from POST /beak/passkey/challenge, and
 * spends that challenge. To be called before the transaction that approves the peck, whose state is judged there: a proof
 * alone grants nothing. Throws `passkey_refused`.
 */
export async function verifyApproval(
  context: DucklingContext<'passkey_refused'>,
  peck: Stated,
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
