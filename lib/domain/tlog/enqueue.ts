/** Enqueues entries of the transparency log in the transaction of their cause. The next writer moves them to the log. */

import { canonicalText } from '@beak/client/verify/canonical'
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
import { beforeCommit, insertAtEnd } from '@/lib/db/transaction'
import { markOf } from '@/lib/infrastructure/keys/mark-key'

interface QueuedEntry {
  kind: Exclude<EntryKind, 'chain_head' | 'passkey_enrolled' | 'passkey_removed'>
  /** Hex. */
  digest: string
  /** Null for an entry of the service. */
  ducklingId: string | null
  /** The id of the peck or the certificate. */
  subjectId?: string
}

/** Enqueues an entry at the end of the transaction. Passkeys have a table of their own: see `LogQueue` in prisma/schema.prisma. */
export function enqueueEntry(tx: Tx, { kind, digest, ducklingId, subjectId }: QueuedEntry): void {
  insertAtEnd(
    tx,
    sql`INSERT INTO "LogQueue" ("kind", "digest", "ducklingId", "subjectId")
      VALUES (${kind}::"LogEntryKind", decode(${digest}, 'hex'), ${ducklingId}::text, ${subjectId ?? null}::text)`,
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
  beforeCommit(
    tx,
    sql`INSERT INTO "LogPending" ("kind", "digest", "ducklingId", "passkeyId")
      VALUES (${kind}::"LogEntryKind", decode(${digest}, 'hex'), ${ducklingId}, ${id})`,
  )
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

/** What has ended for good, and must not come back with a backup. */
export type EndedThing =
  | { duckling_id: string }
  | { agent_id: string }
  | { key_id: string }
  | { cert_id: string }

/** Returns the digest of an entry of the kind `ended`: without the key of the service nobody can tell what it names. */
export function endedDigest(thing: EndedThing): string {
  return markOf(canonicalText(thing))
}

/** Enqueues the entry of a thing that has ended for good. It belongs to no account. A restored service ends the thing again. */
export function enqueueEnded(tx: Tx, thing: EndedThing): void {
  enqueueEntry(tx, { kind: 'ended', digest: endedDigest(thing), ducklingId: null })
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
