import { api } from '@/app/_web/api'
import { sameOriginRoute } from '@/app/_web/same-origin-route'

/** The signed end of the viewer's log, for the check of the chain in the browser. */
export const GET = sameOriginRoute(async () => {
  const result = await api('GET /beak/audit/head')
  return Response.json(result.ok ? result.data : result.problem, {
    status: result.ok ? 200 : result.problem.status,
  })
})
