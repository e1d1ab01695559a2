import { api } from '@/app/_web/api'
import { forOwnPages } from '@/app/_web/own-pages'

/** The signed end of the viewer's log, for the check of the chain in the browser. */
export const GET = forOwnPages(async () => {
  const result = await api('GET /beak/audit/head')
  return Response.json(result.ok ? result.data : result.problem, {
    status: result.ok ? 200 : result.problem.status,
  })
})
