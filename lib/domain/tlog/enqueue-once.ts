/** Enqueues entries that belong to a release and to no account, such as the digest of a file that the service hands out. */
import type { EntryKind } from '@beak/client/verify/log/entry'
import { db, type Tx } from '@/lib/db/client'
import { lockName, transaction } from '@/lib/db/transaction'
import { enqueueEntry } from './enqueue'

/** The kinds of entries that belong to a release. */
export const releaseKinds = ['approver_page', 'client_package'] as const satisfies EntryKind[]
type ReleaseKind = (typeof releaseKinds)[number]

/** Enqueues an entry unless the log has or will have it. `digest`: hex. Called by the worker of every instance. */
export async function enqueueOnce(kind: ReleaseKind, digest: string): Promise<void> {
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
