/** The viewer of a page, read once per request through the API, with the session cookie. */

import { redirect } from 'next/navigation'
import { cache } from 'react'
import { config } from '@/lib/kernel/config'
import { api, type Result } from './api'
import { reportedSince } from './changes'
import { PageProblem } from './page-read'
import { isUnauthenticated } from './problem'
import { sessionToken } from './session-cookie'

export type Viewer = NonNullable<Awaited<ReturnType<typeof findViewer>>>

/** Returns the viewer's profile with the counts that every page shows, or null when nobody is signed in. Throws `PageProblem`. */
export const findOverview = cache(async () => {
  if ((await sessionToken()) === null) return null
  const changes_since = await reportedSince()
  const result = await api('GET /beak/profile/overview', { query: changes_since ? { changes_since } : {} })
  if (result.ok) return result.data
  if (isUnauthenticated(result.problem)) return null
  throw new PageProblem(result.problem)
})

/** Returns the profile of the signed-in viewer, or null. Throws `PageProblem`. */
export async function findViewer() {
  return (await findOverview())?.profile ?? null
}

/** Tells whether the viewer builds or hosts. False when nobody is signed in. See `BuildersOnly` for parts of pages. */
export async function isBuilder(): Promise<boolean> {
  return (await optionalViewer())?.builder ?? false
}

/** For headers and layouts: returns null even when the profile cannot be read, so that the rest of the page still renders. */
export async function optionalViewer(): Promise<Viewer | null> {
  return findViewer().catch((error: unknown) => {
    if (error instanceof PageProblem) return null
    throw error
  })
}

/**
 * For pages that need a viewer: redirects to the sign-in, which leads back to `path`. Where not everybody may sign up, an account whose
 * email is not confirmed can only confirm it (contract E, Who may sign up), so it is led there. Throws `PageProblem`.
 */
export async function requireViewer(path: string): Promise<Viewer> {
  const viewer = (await findViewer()) ?? redirect(`/signin?next=${encodeURIComponent(path)}`)
  const canOnlyConfirm = !viewer.email_verified && config().signUp.mode !== 'open'
  if (canOnlyConfirm && path !== '/welcome') redirect(`/welcome?next=${encodeURIComponent(path)}`)
  return viewer
}

/** The same for server actions: returns a refused read instead of throwing it. */
export async function askViewer(path: string): Promise<Result<Viewer>> {
  try {
    return { ok: true, data: await requireViewer(path) }
  } catch (error) {
    if (error instanceof PageProblem) return { ok: false, problem: error.problem }
    throw error
  }
}

/** The API counts no further. */
const maxCount = 1000

/** Returns how many requests of known askers wait for the viewer: "66", "1,000+", or an empty text for none. Throws `PageProblem`. */
export async function countWaiting(): Promise<string> {
  const count = (await findOverview())?.known_pecks ?? 0
  if (count === 0) return ''
  return count >= maxCount ? '1,000+' : String(count)
}
