/** Who looks at a page: read once a request, from the session cookie through the API. */
import { redirect } from 'next/navigation'
import { cache } from 'react'
import { GET as profile } from '@/app/beak/profile/route'
import { callApi, type Problem } from './call-api'
import { sessionToken } from './session-cookie'

export type Viewer = NonNullable<Awaited<ReturnType<typeof findViewer>>>

/** The profile of the signed-in viewer, or null. */
export const findViewer = cache(async () => {
  if ((await sessionToken()) === null) return null
  const result = await callApi(profile, 'GET')
  // Without a grant the answer is the viewer's own profile.
  if (result.ok && 'referral_code' in result.data) return result.data
  if (result.ok) throw new Error('the profile is not the viewer’s own')
  if (result.problem.status === 401) return null
  throw new PageProblem(result.problem)
})

/** The same for what surrounds a page, which stays while the viewer cannot be read: as if there were none. */
export async function glimpseViewer(): Promise<Viewer | null> {
  return findViewer().catch((error: unknown) => {
    if (error instanceof PageProblem) return null
    throw error
  })
}

/** The same for pages that need one: others go and sign in, and come back to `path`. */
export async function requireViewer(path: string): Promise<Viewer> {
  return (await findViewer()) ?? redirect(`/signin?next=${encodeURIComponent(path)}`)
}

/** A refusal no page can do anything about: shown by the error page. */
export class PageProblem extends Error {
  /** All that Next tells the browser of an error: the code and the request it belongs to. */
  readonly digest: string
  constructor(readonly problem: Problem) {
    super(`${problem.detail} ${problem.action}`)
    this.name = 'PageProblem'
    this.digest = `${problem.code} ${problem.request_id ?? ''}`.trimEnd()
  }
}
