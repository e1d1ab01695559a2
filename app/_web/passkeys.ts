/** The viewer's passkeys: how many there are, and whether all of them will be removed. */
import { PageProblem } from './page-problem'
import { findOverview } from './viewer'

/** Returns whether the viewer has a passkey. Throws `PageProblem`. */
export async function viewerHasPasskey(): Promise<boolean> {
  return ((await findOverview())?.passkeys ?? 0) > 0
}

/** Returns the pending removal of the viewer's passkeys, or null when there is none or when it cannot be read. */
export async function findRecovery() {
  try {
    return (await findOverview())?.recovery ?? null
  } catch (error) {
    if (error instanceof PageProblem) return null
    throw error
  }
}
