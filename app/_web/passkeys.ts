/** The viewer's passkeys: how many there are, and whether all of them will be removed. */
import { PageProblem } from './page-problem'
import { findOverview } from './viewer'

/** Returns whether the viewer has a passkey. Throws `PageProblem`. */
export async function viewerHasPasskey(): Promise<boolean> {
  return ((await findOverview())?.passkeys ?? 0) > 0
}

/** Returns the viewer's approver, or null. Throws `PageProblem`. */
export async function viewerApprover() {
  return (await findOverview())?.approver ?? null
}

/**
 * Returns what the viewer must know on every page: what will happen to the account unless it is cancelled (null for each when it is not
 * pending), and what other sessions changed. Nothing when it cannot be read.
 */
export async function findPending() {
  try {
    const overview = await findOverview()
    return {
      recovery: overview?.recovery ?? null,
      emailUndo: overview?.email_undo ?? null,
      changes: overview?.recent_changes ?? [],
    }
  } catch (error) {
    if (error instanceof PageProblem) return { recovery: null, emailUndo: null, changes: [] }
    throw error
  }
}
