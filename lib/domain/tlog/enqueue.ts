/** Enqueues entries of the transparency log in the transaction of their cause. The next writer moves them to the log. */
import {
  certificateRevocationDigest,
  decisionDigest,
  type EntryKind,
  passkeyDigest,
  revocationDigest,
  usageDigest,
} from '@beak/client/verify/log/entry'
import type { Tx } from '@/lib/db/client'
import type { Passkey } from '@/lib/db/generated/client'
import { sql } from '@/lib/db/sql'
import { beforeCommit } from '@/lib/db/transaction'

interface QueuedEntry {
  kind: Exclude<EntryKind, 'chain_head'>
  /** Hex. */
  digest: string
  /** Null for an entry of the service. */
  ducklingId: string | null
  passkeyId?: string
  /** The id of the peck or the certificate. */
  subjectId?: string
}

/** Enqueues an entry at the end of the transaction. */
export function enqueueEntry(tx: Tx, { kind, digest, ducklingId, passkeyId, subjectId }: QueuedEntry): void {
  beforeCommit(
    tx,
    sql`INSERT INTO "LogPending" ("kind", "digest", "ducklingId", "passkeyId", "subjectId")
      VALUES (${kind}::"LogEntryKind", decode(${digest}, 'hex'), ${ducklingId}::text, ${passkeyId ?? null}::text, ${subjectId ?? null}::text)`,
  )
}

/**
 * Enqueues the entry of a passkey that this transaction adds or removes. Returns the entry's digest in hex: the audit event has it
 * as `log_digest`, so the two can be matched.
 */
export function enqueuePasskey(
  tx: Tx,
  kind: 'passkey_enrolled' | 'passkey_removed',
  {
    id,
    ducklingId,
    credentialId,
    publicKey,
  }: Pick<Passkey, 'id' | 'ducklingId' | 'credentialId' | 'publicKey'>,
): string {
  const digest = passkeyDigest({
    ducklingId,
    credentialId,
    publicKey: Buffer.from(publicKey).toString('base64url'),
  })
  enqueueEntry(tx, { kind, digest, ducklingId, passkeyId: id })
  return digest
}

/** A peck whose decision the log names by the digest of its statement. */
interface LoggedPeck {
  id: string
  targetDucklingId: string
  statementDigest: Uint8Array | null
}

/** Enqueues the entry of a decision. Returns its digest in hex, for the audit event. */
export function enqueueDecision(tx: Tx, peck: LoggedPeck, decidedAt: Date): Record<string, string> {
  return enqueueOf(tx, 'decided', peck, (statement) =>
    decisionDigest({ statement, decidedAt: decidedAt.toISOString() }),
  )
}

/** Enqueues the entry of a use of a permission. `uses` counts this use. */
export function enqueueUse(tx: Tx, peck: LoggedPeck, uses: number, usedAt: Date): Record<string, string> {
  return enqueueOf(tx, 'used', peck, (statement) =>
    usageDigest(statement, { uses, usedAt: usedAt.toISOString() }),
  )
}

/** Enqueues the entry of the revocation of a permission. */
export function enqueueRevocation(tx: Tx, peck: LoggedPeck, revokedAt: Date): Record<string, string> {
  return enqueueOf(tx, 'revoked', peck, (statement) => revocationDigest(statement, revokedAt.toISOString()))
}

/** Enqueues the entry of the revocation of a certificate. */
export function enqueueCertificateRevocation(
  tx: Tx,
  { id, ducklingId }: { id: string; ducklingId: string },
  revokedAt: Date,
): Record<string, string> {
  const digest = certificateRevocationDigest(id, revokedAt.toISOString())
  enqueueEntry(tx, { kind: 'revoked', digest, ducklingId, subjectId: id })
  return { log_digest: digest }
}

/** Returns the metadata of the audit event: none for a peck that was decided before decisions had entries. */
function enqueueOf(
  tx: Tx,
  kind: 'decided' | 'used' | 'revoked',
  { id, targetDucklingId, statementDigest }: LoggedPeck,
  digestFor: (statement: string) => string,
): Record<string, string> {
  if (statementDigest === null) return {}
  const digest = digestFor(Buffer.from(statementDigest).toString('base64url'))
  enqueueEntry(tx, { kind, digest, ducklingId: targetDucklingId, subjectId: id })
  return { log_digest: digest }
}
