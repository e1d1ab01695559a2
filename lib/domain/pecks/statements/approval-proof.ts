import { canonicalText } from '@beak/client/verify/canonical'
import { checkAssertion } from '@beak/client/verify/receipts/assertion'
import { DecisionStatement } from '@beak/client/verify/receipts/decision-statement'
import { DecisionProof } from '@beak/client/verify/receipts/outcome-schema'
import { Refusal } from '@beak/client/verify/receipts/refusal'
import { statementText } from '@beak/client/verify/receipts/statement-text'
import { db } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { recordPasskeyUse, refusePasskey, verifyAssertion } from '@/lib/domain/passkeys/assertion'
import { type Ceremony, findStatement } from '@/lib/domain/passkeys/ceremony'
import { readClientData } from '@/lib/domain/passkeys/client-data'
import type { AssertionCredential } from '@/lib/domain/passkeys/schema'
import { config } from '@/lib/kernel/config'
import type { DucklingContext } from '@/lib/kernel/context'
import { sha256 } from '@/lib/kernel/secrets'
import { type DecisionColumns, decisionStatement, shownOf } from './decision-statement'
import { receiptSeedOf } from './receipt-salts'
import { approvalStatement, type StatementColumns } from './statement'

/** The part of a receipt that lets anybody check offline what was decided, and with which key (contract D1). */
export interface ApprovalProof {
  /** Canonical text of the statement, of either version. Its SHA-256 is the challenge that the passkey signed. */
  statement: string
  passkey_id: string
  credential_id: string
  /** COSE key as base64url. */
  public_key: string
  /** The authenticator's output as base64url. */
  assertion: { authenticatorData: string; clientDataJSON: string; signature: string }
}

type ProvenColumns = StatementColumns & DecisionColumns

/**
 * Verifies that the caller's passkey signed this decision, over a challenge from POST /beak/passkey/challenge, and spends that
 * challenge. Call it before the transaction that decides. That transaction checks the state of the peck, so the proof alone grants
 * nothing. Throws `passkey_assertion_invalid`.
 */
export async function verifyDecision(
  context: DucklingContext<'passkey_assertion_invalid'>,
  purpose: 'approve' | 'reject',
  peck: ProvenColumns,
  credential: AssertionCredential,
): Promise<ApprovalProof> {
  const { authenticatorData, clientDataJSON, signature } = credential.response
  const ceremony = { purpose, ducklingId: context.caller.id, peckId: peck.id }
  const challenge = readClientData(clientDataJSON)?.challenge ?? ''
  const statement = await expectedStatement(ceremony, peck, challenge)
  if (statement === null || challenge !== sha256(statement).toString('base64url'))
    throw refusePasskey(context, 'challenge')
  const proven = await verifyAssertion(context, credential, ceremony)
  const { passkey } = proven
  const proof = {
    credential_id: passkey.credentialId,
    public_key: Buffer.from(passkey.publicKey).toString('base64url'),
    assertion: { authenticatorData, clientDataJSON, signature },
  }
  if (!(await isVerifiable(proof, statement))) throw refusePasskey(context, 'malformed', passkey)
  await transaction((tx) => recordPasskeyUse(tx, context, proven))
  return { statement, passkey_id: passkey.id, ...proof }
}

/**
 * Tells whether everybody can check the proof in a receipt. The library that verifies assertions accepts more encodings than verifiers of
 * receipts do, so without this check a person could decide with a signature that never verifies.
 */
async function isVerifiable(proof: DecisionProof, statement: string): Promise<boolean> {
  if (!DecisionProof.safeParse(proof).success) return false
  try {
    await checkAssertion(proof, statement, config().baseUrl)
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

/**
 * Returns the text that the passkey must have signed, or null when there is none. Version 1 follows from the peck. Version 2 was stored with
 * its challenge, because its nonce and the state of the log are new each time; all other facts are computed again and must be the same.
 */
async function expectedStatement(
  { purpose, ...ceremony }: Ceremony & { purpose: 'approve' | 'reject' },
  peck: ProvenColumns,
  challenge: string,
): Promise<string | null> {
  const stored = await findStatement({ purpose, ...ceremony }, challenge)
  if (stored === null) return purpose === 'approve' ? statementText(approvalStatement(peck)) : null
  const { nonce, log } = DecisionStatement.parse(JSON.parse(stored))
  const seed = await receiptSeedOf(db(), peck.id)
  const now = decisionStatement(peck, { decision: purpose, seed, nonce, log, shown: shownOf(peck) })
  return canonicalText(now) === stored ? stored : null
}
