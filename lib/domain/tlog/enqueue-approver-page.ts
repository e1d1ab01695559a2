/**
 * Logs the page of the approver that a release brings. A host that hands out another page can be found out: the log, the release notes and a
 * build from the sources must all have the same digest.
 */
import { enqueueOnce } from './enqueue-once'

/** Enqueues an entry for a page, once. `digest`: SHA-256 of the page in hex. Null: this server has no built page. */
export async function enqueueApproverPage(digest: string | null): Promise<void> {
  if (digest !== null) await enqueueOnce('approver_page', digest)
}
