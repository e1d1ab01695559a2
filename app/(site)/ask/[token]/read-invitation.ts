import { cache } from 'react'
import { api } from '@/app/_web/api'
import { PageProblem } from '@/app/_web/page-problem'
import { isMalformed, isMissing, type Problem } from '@/app/_web/problem'
import type { ResponseOf } from '@/app/beak/_api/lines'

export type OpenInvitation = ResponseOf<'GET /beak/invitation/view'>

/** Returns what the holder of a link may know, or the refusal that says why the link does not work. Throws `PageProblem`. */
export const readInvitation = cache(
  async (token: string): Promise<{ invitation: OpenInvitation } | { refusal: Problem | null }> => {
    const result = await api('GET /beak/invitation/view', { query: { token } })
    if (result.ok) return { invitation: result.data }
    const { problem } = result
    if (isMalformed(problem) || isMissing(problem)) return { refusal: null }
    if (problem.code === 'E4008') return { refusal: problem }
    throw new PageProblem(problem)
  },
)
