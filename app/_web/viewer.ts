/** Who looks at a page: read once a request, from the session cookie through the API. */
import { redirect } from 'next/navigation'
import { cache } from 'react'
import { api, type Result } from './api'
import { PageProblem } from './page-problem'
import { sessionToken } from './session-cookie'

export type Viewer = NonNullable<Awaited<ReturnType<typeof findViewer>>>

/** The profile of the signed-in viewer, or null. */
export const findViewer = cache(async () => {
  if ((await sessionToken()) === null) return null
  const result = await api('GET /beak/profile')
  // Without a grant the answer is the viewer's own profile.
  if (result.ok && 'referral_code' in result.data) return result.data
  if (result.ok) throw new Error('the profile is not the viewer’s own')
  if (result.problem.status === 401) return null
  throw new PageProblem(result.problem)
})

/** The same for what surrounds a page, which stays while the viewer cannot be read: as if there were none. */
export async function optionalViewer(): Promise<Viewer | null> {
  return findViewer().catch((error: unknown) => {
    if (error instanceof PageProblem) return null
    throw error
  })
}

/** The same for pages that need one: others go and sign in, and come back to `path`. */
export async function requireViewer(path: string): Promise<Viewer> {
  return (await findViewer()) ?? redirect(`/signin?next=${encodeURIComponent(path)}`)
}

/**
 * The viewer for server actions, which answer a refusal themselves: a refused read is returned, not thrown. Others go and sign
 * in, and come back to `path`.
 */
export async function askViewer(path: string): Promise<Result<Viewer>> {
  try {
    return { ok: true, data: await requireViewer(path) }
  } catch (error) {
    if (error instanceof PageProblem) return { ok: false, problem: error.problem }
    throw error
  }
}
