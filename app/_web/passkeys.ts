/** The viewer's passkeys, read once a page request: for the pages that show them and for the banner above every page. */
import { cache } from 'react'
import { api } from './api'
import { PageProblem } from './page-problem'
import { optionalViewer } from './viewer'

/** The viewer's passkeys and the pending removal of them, if there is one. Throws `PageProblem`. */
export const readPasskeys = cache(async () => {
  const result = await api('GET /beak/passkey/list', { query: { limit: '100' } })
  if (!result.ok) throw new PageProblem(result.problem)
  return result.data
})

/** Whether the viewer has a passkey. Throws `PageProblem`. */
export async function viewerHasPasskey(): Promise<boolean> {
  return (await readPasskeys()).items.length > 0
}

/** The pending removal of the viewer's passkeys, or null: for what surrounds a page, which stays when it cannot be read. */
export async function findRecovery() {
  if ((await optionalViewer()) === null) return null
  try {
    return (await readPasskeys()).recovery
  } catch (error) {
    if (error instanceof PageProblem) return null
    throw error
  }
}
