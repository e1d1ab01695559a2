/** The viewer's passkeys: how many there are, and whether all of them will be removed. */
import { PageProblem } from './page-problem'
import { findOverview } from './viewer'

/** Returns whether the viewer has a passkey. Throws `PageProblem`. */
export async function viewerHasPasskey(): Promise<boolean> {
  return ((await findOverview())?.passkeys ?? 0) > 0
}

/** Returns what will happen to the viewer's account unless it is cancelled. Null for each when it is not pending or cannot be read. */
export async function findPending() {
  try {
    const overview = await findOverview()
    return { recovery: overview?.recovery ?? null, emailUndo: overview?.email_undo ?? null }
  } catch (error) {
    if (error instanceof PageProblem) return { recovery: null, emailUndo: null }
    throw error
  }
}
