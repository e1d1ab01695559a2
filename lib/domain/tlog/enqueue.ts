/** Enqueues entries of the transparency log in the transaction of their cause. The next writer moves them to the log. */

import { canonicalText } from '@beak/proofs/canonical'
import {
  certificateRevocationDigest,
  clientPackageDigest,
  decisionDigest,
  type EntryKind,
  passkeyDigest,
  revocationDigest,
  usageDigest,
} from '@beak/proofs/log/entry'
import { db, type Tx } from '@/lib/db/client'
import type { Passkey } from '@/lib/db/generated/client'
import { sql } from '@/lib/db/sql'
import { beforeCommit, insertAtEnd, lockName, transaction } from '@/lib/db/transaction'
import { markOf } from '@/lib/infrastructure/keys/log-keys'
import type { ClientPackage } from '@/lib/kernel/service/client-packages'

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

/** Enqueues entries that belong to a release and to no account, such as the digest of a file that the service hands out. */

/** The kinds of entries that belong to a release. */
export const releaseKinds = ['approver_page', 'client_package'] as const satisfies EntryKind[]
type ReleaseKind = (typeof releaseKinds)[number]

/** Enqueues an entry unless the log has or will have it. `digest`: hex. Called by the worker of every instance. */
async function enqueueOnce(kind: ReleaseKind, digest: string): Promise<void> {
  if (await isLogged(db(), kind, digest)) return
  await transaction(async (tx) => {
    await lockName(tx, `log-${kind}`)
    if (await isLogged(tx, kind, digest)) return
    // The digest is the subject, too, because `LogEntry` has an index on subjects and none on digests.
    enqueueEntry(tx, { kind, digest, ducklingId: null, subjectId: digest })
  })
}

/** One statement, because the writer of the log moves the entry from one table to the other. */
async function isLogged(tx: Tx, kind: ReleaseKind, digest: string): Promise<boolean> {
  const [row] = await tx.rows<{ found: boolean }>`
    SELECT EXISTS (SELECT 1 FROM "LogEntry" WHERE "subjectId" = ${digest}::text AND "kind" = ${kind}::"LogEntryKind")
      OR EXISTS (SELECT 1 FROM "LogQueue" WHERE "kind" = ${kind}::"LogEntryKind" AND "subjectId" = ${digest}::text) AS "found"`
  return row?.found === true
}

/**
 * Logs the page of the approver that a release brings. A host that hands out another page can be found out: the log, the release notes and a
 * build from the sources must all have the same digest.
 */

/** Enqueues an entry for a page, once. `digest`: SHA-256 of the page in hex. Null: this server has no built page. */
export async function enqueueApproverPage(digest: string | null): Promise<void> {
  if (digest !== null) await enqueueOnce('approver_page', digest)
}

/**
 * Logs the packages of the clients that this service hands out. A host that gives somebody another package can be found out: the log, the
 * release notes and a build from the sources must all have the same digest.
 */

/** Enqueues an entry for each package, once. */
export async function enqueueClientPackages(files: ClientPackage[]): Promise<void> {
  for (const file of files) await enqueueOnce('client_package', clientPackageDigest(file))
}
