/** The viewer's passkeys, read once per page request: for the pages that show them and for the banner on every page. */
import { cache } from 'react'
import { PageProblem } from './page-problem'
import { read } from './read'
import { optionalViewer } from './viewer'

/** Returns the viewer's passkeys and the pending removal of all of them, or null for the removal. Throws `PageProblem`. */
export const readPasskeys = cache(() => read('GET /beak/passkey/list', { query: { limit: '100' } }))

/** Returns whether the viewer has a passkey. Throws `PageProblem`. */
export async function viewerHasPasskey(): Promise<boolean> {
  return (await readPasskeys()).items.length > 0
}

/** Returns the pending removal of the viewer's passkeys, or null when there is none or when it cannot be read. */
export async function findRecovery() {
  if ((await optionalViewer()) === null) return null
  try {
    return (await readPasskeys()).recovery
  } catch (error) {
    if (error instanceof PageProblem) return null
    throw error
  }
}
