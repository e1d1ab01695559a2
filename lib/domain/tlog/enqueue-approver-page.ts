/**
 * Logs the page of the approver that a release brings. A host that hands out another page can be found out: the log, the release notes and a
 * build from the sources must all have the same digest.
 */
import { db, type Tx } from '@/lib/db/client'
import { lockName, transaction } from '@/lib/db/transaction'
import { enqueueEntry } from './enqueue'

const lock = 'approver-page'

/**
 * Enqueues an entry for a page unless the log has or will have one. `digest`: SHA-256 of the page in hex. Null: this server has no built page.
 * Called by the worker of every instance.
 */
export async function enqueueApproverPage(digest: string | null): Promise<void> {
  if (digest === null || (await isLogged(db(), digest))) return
  await transaction(async (tx) => {
    await lockName(tx, lock)
    if (await isLogged(tx, digest)) return
    // The digest is the subject, too, because `LogEntry` has an index on subjects and none on digests.
    enqueueEntry(tx, { kind: 'approver_page', digest, ducklingId: null, subjectId: digest })
  })
}

/** One statement, because the writer of the log moves the entry from one table to the other. */
async function isLogged(tx: Tx, digest: string): Promise<boolean> {
  const [row] = await tx.rows<{ found: boolean }>`
    SELECT EXISTS (SELECT 1 FROM "LogEntry" WHERE "subjectId" = ${digest}::text AND "kind" = 'approver_page')
      OR EXISTS (SELECT 1 FROM "LogPending" WHERE "kind" = 'approver_page' AND "subjectId" = ${digest}::text) AS "found"`
  return row?.found === true
}
