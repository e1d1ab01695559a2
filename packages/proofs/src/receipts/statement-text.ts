/** The statement of an approval and its canonical text, for servers and for browsers that verify a receipt. */
import { canonicalText } from '../canonical'

export interface ApprovalStatement {
  type: 'beak.peck.approval'
  version: 1
  peck_id: string
  action: string
  scope: 'limited' | 'timed' | 'standing'
  /** SHA-256 in hex of the canonical JSON (RFC 8785) of the params. */
  params_hash: string
  requester: { duckling_id: string; agent_id: string | null }
  target_duckling_id: string
  created_at: string
  /** Until when the peck can be decided. */
  expires_at: string
  /** Lifetime of the grant in seconds after the approval. Null: until it is revoked. */
  grant_seconds: number | null
}

/** Returns the canonical JSON (RFC 8785) of a statement. */
export function statementText(statement: ApprovalStatement): string {
  return canonicalText(statement)
}
