/**
 * The statement of a decision (receipts, versions 2 and 3): what a person approves or rejects, for which service, and what the page displayed.
 * It has only salted hashes of the values, so that a receipt can be shown without them. All salts of a peck derive from one seed. The statement
 * of a decision that was made leaves its digest in the row of the peck and in the transparency log. See docs/receipts/format.md.
 */
import { createHmac } from 'node:crypto'
import { type DisplayColumns, displayOf } from '@beak/decision/display/display'
import type { Params } from '@beak/decision/params'
import { canonicalText } from '@beak/proofs/canonical'
import {
  type DecisionStatement,
  type DecisionStatement3,
  displayDigest,
  paramDigest,
} from '@beak/proofs/receipts/decision-statement'
import type { Endorsement, ReceiptValues, Shown } from '@beak/proofs/receipts/outcome-schema'
import { type ApprovalStatement, statementText } from '@beak/proofs/receipts/statement-text'
import type { Tx } from '@/lib/db/client'
import type { Peck } from '@/lib/db/generated/client'
import type { PeckRow } from '@/lib/domain/pecks/rows'
import { enqueueDecision } from '@/lib/domain/tlog/enqueue'
import { config } from '@/lib/kernel/config'
import { randomBytes } from '@/lib/kernel/secrets/random'
import { sha256 } from '@/lib/kernel/secrets/secrets'
import { isTestService } from '@/lib/kernel/service/test-service'

export type DecisionColumns = Omit<StatementColumns, 'paramsHash'> &
  DisplayColumns &
  Pick<PeckRow, 'message' | 'audience' | 'requireSigned' | 'challenge' | 'codeHash' | 'ruleId'>

/** What a statement says besides the facts of the peck. */
export interface Decided {
  decision: DecisionStatement['decision']
  /** The seed of the peck's salts. */
  seed: Uint8Array
  nonce: string
  shown: Shown
  log: DecisionStatement['log']
  /** Default: the oldest one that has all that the peck demands. */
  version?: 2 | 3
  /** The code that the person typed. */
  typed?: string | null
  /** The origin of the approver that is asked to sign. */
  approver?: string | null
}

/** Returns the oldest version of the statement that has all that the peck needs, because verifiers of 0.2.0 read only version 2. */
export const oldestVersion = ({ requireSigned, ruleId }: Pick<PeckRow, 'requireSigned' | 'ruleId'>): 2 | 3 =>
  requireSigned || ruleId !== null ? 3 : 2

/** What the page displays to the person who decides, and its text, which is stored with the decision. Later versions may say the same differently. */
export interface Displayed {
  shown: Shown
  text: string
}

/** Returns what the page displays. It is read from its text, so that it equals what is stored: undefined members are left out. */
export function displayedOf(peck: DisplayColumns & Pick<PeckRow, 'message'>): Displayed {
  const text = canonicalText({ ...displayOf(peck), message: peck.message })
  return { text, shown: JSON.parse(text) as Shown }
}

/** Returns the statement of a decision. */
export function decisionStatement(
  peck: DecisionColumns,
  {
    decision,
    seed,
    nonce,
    shown,
    log,
    version = oldestVersion(peck),
    typed = null,
    approver = null,
  }: Decided,
): DecisionStatement {
  const { params, display } = receiptValues(peck, seed, shown)
  const facts = {
    type: 'beak.peck.decision' as const,
    decision,
    issuer: config().baseUrl,
    audience: peck.audience,
    nonce,
    peck_id: peck.id,
    action: peck.action,
    scope: peck.scope,
    params: params.map(({ salt, name, value }) => paramDigest(salt, name, value)).sort(),
    requester: { duckling_id: peck.requesterDucklingId, agent_id: peck.requesterAgentId },
    target_duckling_id: peck.targetDucklingId,
    created_at: peck.createdAt.toISOString(),
    expires_at: peck.expiresAt.toISOString(),
    grant_seconds: peck.grantSeconds,
    display: { version: shown.version, hash: displayDigest(display.salt, shown) },
    log,
  }
  if (version === 2) return { ...facts, version }
  const { challenge, codeHash } = peck
  return {
    ...facts,
    version,
    decided_by: decision === null ? null : deciderOf(peck),
    challenge,
    code: codeHash === null ? null : { hash: codeHash, typed },
    approver,
    test: isTestService(),
  }
}

const deciderOf = ({ ruleId }: Pick<PeckRow, 'ruleId'>): DecisionStatement3['decided_by'] =>
  ruleId === null ? { type: 'person' } : { type: 'rule', rule_id: ruleId }

/** Returns the values behind the salted hashes of a statement. */
export function receiptValues(
  { params }: Pick<DecisionColumns, 'params'>,
  seed: Uint8Array,
  shown: Shown,
): Required<ReceiptValues> & { display: NonNullable<ReceiptValues['display']> } {
  return {
    params: Object.entries(JSON.parse(params) as Params).map(([name, value]) => ({
      salt: derive(seed, { kind: 'param', name }),
      name,
      value,
    })),
    display: { salt: derive(seed, { kind: 'display' }), shown },
  }
}

interface MadeDecision {
  decision: DecisionStatement['decision']
  /** The proof of the passkey. Null: decided without one, or by nobody. */
  approval: ApprovalProof | null
  seed: Uint8Array
  shown: Shown
}

/** Returns the statement that the passkey signed, or null when that was one of version 1. */
export function signedStatement({ statement }: ApprovalProof): DecisionStatement | null {
  const signed = JSON.parse(statement) as { version: number }
  return signed.version === 1 ? null : (signed as DecisionStatement)
}

/** Returns the statement in the receipts of a decision: the one that a passkey signed, or one that follows from the peck. */
export function decidedStatement(
  peck: DecisionColumns,
  { decision, approval, seed, shown }: MadeDecision,
): DecisionStatement {
  const signed = approval === null ? null : signedStatement(approval)
  return (
    signed ??
    decisionStatement(peck, { decision, seed, shown, nonce: derive(seed, { kind: 'nonce' }), log: null })
  )
}

/** What a decision adds to the row of its peck. */
interface LoggedColumns {
  statementDigest: Uint8Array<ArrayBuffer>
  receiptSeed: Uint8Array<ArrayBuffer>
}

/**
 * Enqueues the log entry of a decision on a locked peck. Returns the columns that the peck gets, and the metadata of the audit event. `shown`: what
 * the page displayed.
 */
export function logDecision(
  tx: Tx,
  peck: PeckRow,
  made: Omit<MadeDecision, 'seed'> & { decidedAt: Date },
): { columns: LoggedColumns; metadata: Record<string, string> } {
  const { approval, decidedAt } = made
  const seed = new Uint8Array(peck.receiptSeed ?? randomBytes(32))
  const signed = approval === null ? null : signedStatement(approval)
  // What a passkey signed is canonical text already.
  const text =
    approval !== null && signed !== null
      ? approval.statement
      : canonicalText(decidedStatement(peck, { ...made, seed }))
  const columns = { statementDigest: new Uint8Array(sha256(text)), receiptSeed: seed }
  return { columns, metadata: enqueueDecision(tx, { ...peck, ...columns }, decidedAt) }
}

/** What a derived value is for. */
type Use = { kind: 'param'; name: string } | { kind: 'display' } | { kind: 'nonce' }

/** Returns 16 bytes in base64url. Somebody who has one of them learns nothing about the others. */
function derive(seed: Uint8Array, use: Use): string {
  const label = use.kind === 'param' ? `param:${use.name}` : use.kind
  const digest = createHmac('sha256', seed).update(`beak/receipt/${label}`).digest()
  return digest.subarray(0, 16).toString('base64url')
}

/** Returns the seed of a peck. Pecks that are older than receipts of version 2 get theirs once, also from simultaneous calls. */
export async function receiptSeedOf(
  tx: Tx,
  { id, receiptSeed }: Pick<Peck, 'id' | 'receiptSeed'>,
): Promise<Uint8Array> {
  if (receiptSeed !== null) return receiptSeed
  const [stored] = await tx.rows<{ receiptSeed: Uint8Array }>`
    UPDATE "Peck" SET "receiptSeed" = COALESCE("receiptSeed", ${randomBytes(32)}) WHERE "id" = ${id}
    RETURNING "receiptSeed"`
  if (stored === undefined) throw new Error(`the peck ${id} is missing`)
  return stored.receiptSeed
}

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

/** The part of a receipt that lets anybody check offline what was decided, and with which key (contract D1). */
export interface ApprovalProof {
  /** Canonical text of the statement, of any version. Its SHA-256 is the challenge that the passkey signed. */
  statement: string
  passkey_id: string
  credential_id: string
  /** COSE key as base64url. */
  public_key: string
  /** The authenticator's output as base64url. */
  assertion: { authenticatorData: string; clientDataJSON: string; signature: string }
  /** How older passkeys of the person lead to this one. Missing in older proofs. */
  endorsements?: Endorsement[]
  /** The origin of the approver whose passkey signed. Missing for a passkey of this service. */
  approver?: string
}
