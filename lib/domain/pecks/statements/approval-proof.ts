import { canonicalText } from '@beak/proofs/canonical'
import { DecisionStatement } from '@beak/proofs/receipts/decision-statement'
import type { Endorsement } from '@beak/proofs/receipts/outcome-schema'
import { statementText } from '@beak/proofs/receipts/statement-text'
import { db, Prisma, type Tx } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { verifyApprover } from '@/lib/domain/approvers/enrol'
import { recordPasskeyUse, refusePasskey, verifyAssertion } from '@/lib/domain/passkeys/assertion'
import { type Ceremony, findStatement, readClientData } from '@/lib/domain/passkeys/ceremony'
import { isVerifiable } from '@/lib/domain/passkeys/endorse'
import type { AssertionCredential } from '@/lib/domain/passkeys/schema'
import type { PeckRow } from '@/lib/domain/pecks/rows'
import type { DucklingContext } from '@/lib/kernel/request/context'
import { sha256 } from '@/lib/kernel/secrets/secrets'
import {
  type ApprovalProof,
  approvalStatement,
  type DecisionColumns,
  type Displayed,
  decisionStatement,
  displayedOf,
  receiptSeedOf,
  type StatementColumns,
} from './decision-statement'

type ProvenColumns = StatementColumns & DecisionColumns & Pick<PeckRow, 'receiptSeed'>

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
  displayed: Displayed = displayedOf(peck),
): Promise<ApprovalProof> {
  const { authenticatorData, clientDataJSON, signature } = credential.response
  const ceremony = { purpose, ducklingId: context.caller.id, peckId: peck.id }
  const challenge = readClientData(clientDataJSON)?.challenge ?? ''
  const statement = await expectedStatement(ceremony, peck, challenge, displayed)
  if (statement === null || challenge !== sha256(statement).toString('base64url'))
    throw refusePasskey(context, 'challenge')
  const proofOf = ({ credentialId, publicKey }: { credentialId: string; publicKey: Uint8Array }) => ({
    credential_id: credentialId,
    public_key: Buffer.from(publicKey).toString('base64url'),
    assertion: { authenticatorData, clientDataJSON, signature },
  })
  const approver = approverIn(statement)
  if (approver !== null) {
    const signer = await verifyApprover(context, credential, { ceremony, origin: approver })
    const proof = proofOf(signer)
    if (!(await isVerifiable(proof, statement, approver))) throw refusePasskey(context, 'malformed')
    return { statement, passkey_id: signer.id, ...proof, approver }
  }
  const proven = await verifyAssertion(context, credential, ceremony)
  const { passkey } = proven
  const proof = proofOf(passkey)
  if (!(await isVerifiable(proof, statement))) throw refusePasskey(context, 'malformed', passkey)
  await transaction((tx) => recordPasskeyUse(tx, context, proven))
  const endorsements = (passkey.endorsements ?? []) as Endorsement[]
  return { statement, passkey_id: passkey.id, ...proof, endorsements }
}

/**
 * Throws `passkey_assertion_invalid` when the passkey or the approver of a proof was removed after its signature was verified, while the request
 * waited for the peck. Otherwise keeps it until the transaction ends: so the log has each decision before the removal of its passkey.
 */
export async function requireSigner(
  tx: Tx,
  context: DucklingContext<'passkey_assertion_invalid'>,
  proof: ApprovalProof | null,
): Promise<void> {
  if (proof === null) return
  const table = Prisma.raw(proof.approver === undefined ? '"Passkey"' : '"Approver"')
  const [kept] = await tx.rows`
    SELECT 1 FROM ${table} WHERE "id" = ${proof.passkey_id} AND "ducklingId" = ${context.caller.id} FOR KEY SHARE`
  if (kept === undefined) throw refusePasskey(context, 'passkey_unknown')
}

/** Returns the origin of the approver that a statement names, or null. */
function approverIn(statement: string): string | null {
  const { approver = null } = JSON.parse(statement) as { approver?: string | null }
  return approver
}

/**
 * Returns the text that the passkey must have signed, or null when there is none. Version 1 follows from the peck. Later versions were stored
 * with their challenge, because nonce, state of the log and typed code are new each time; all other facts are computed again and must be the
 * same.
 */
async function expectedStatement(
  { purpose, ...ceremony }: Ceremony & { purpose: 'approve' | 'reject' },
  peck: ProvenColumns,
  challenge: string,
  { shown }: Displayed,
): Promise<string | null> {
  const stored = await findStatement({ purpose, ...ceremony }, challenge)
  if (stored === null) return purpose === 'approve' ? statementText(approvalStatement(peck)) : null
  const signed = DecisionStatement.parse(JSON.parse(stored))
  const { nonce, log, version } = signed
  const typed = signed.version === 3 ? (signed.code?.typed ?? null) : null
  const approver = signed.version === 3 ? signed.approver : null
  const seed = await receiptSeedOf(db(), peck)
  const now = decisionStatement(peck, {
    decision: purpose,
    seed,
    nonce,
    log,
    shown,
    version,
    typed,
    approver,
  })
  return canonicalText(now) === stored ? stored : null
}
