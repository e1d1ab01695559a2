/** The statement of a decision that was made, and the mark that it leaves in the row of its peck and in the transparency log. */
import { canonicalText } from '@beak/client/verify/canonical'
import type { DecisionStatement } from '@beak/client/verify/receipts/decision-statement'
import type { Shown } from '@beak/client/verify/receipts/outcome-schema'
import type { Tx } from '@/lib/db/client'
import type { PeckRow } from '@/lib/domain/pecks/rows'
import { enqueueDecision } from '@/lib/domain/tlog/enqueue'
import { randomBytes } from '@/lib/kernel/random'
import { sha256 } from '@/lib/kernel/secrets'
import type { ApprovalProof } from './approval-proof'
import { type DecisionColumns, decisionStatement, shownOf } from './decision-statement'
import { derive } from './receipt-salts'

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
 * Enqueues the log entry of a decision on a locked peck. Returns the columns that the peck gets, and the metadata of the audit event.
 * `displayed`: canonical JSON of what the page displayed.
 */
export function logDecision(
  tx: Tx,
  peck: PeckRow,
  made: {
    decision: 'approve' | 'reject'
    approval: ApprovalProof | null
    displayed: string | null
    decidedAt: Date
  },
): { columns: LoggedColumns; metadata: Record<string, string> } {
  const { decision, approval, displayed, decidedAt } = made
  const seed = new Uint8Array(peck.receiptSeed ?? randomBytes(32))
  const shown = displayed === null ? shownOf(peck) : (JSON.parse(displayed) as Shown)
  const statement = decidedStatement(peck, { decision, approval, seed, shown })
  const columns = { statementDigest: new Uint8Array(sha256(canonicalText(statement))), receiptSeed: seed }
  return { columns, metadata: enqueueDecision(tx, { ...peck, ...columns }, decidedAt) }
}
