/** The statement of an approval and its one spelling: read by servers, and by browsers that check a receipt. */
import canonicalize from 'canonicalize'

export interface ApprovalStatement {
  type: 'beak.peck.approval'
  version: 1
  peck_id: string
  action: string
  scope: 'limited' | 'timed' | 'standing'
  /** SHA-256 in hex of the RFC 8785 text of the params. */
  params_hash: string
  requester: { duckling_id: string; agent_id: string | null }
  target_duckling_id: string
  created_at: string
  /** Until when the peck may be decided. */
  expires_at: string
  /** How long the grant may last at most, in seconds after the approval; null: until it is revoked. */
  grant_seconds: number | null
}

/** The statement's RFC 8785 canonical text. */
export function statementText(statement: ApprovalStatement): string {
  const text = canonicalize(statement)
  if (text === undefined) throw new Error('not JSON')
  return text
}
