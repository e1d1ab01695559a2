import { api } from '@/app/_web/api'
import { sameOriginRoute } from '@/app/_web/same-origin-route'

/** A thousand events of the viewer's log: what the check of the chain in the browser reads, page by page. */
export const GET = sameOriginRoute(async (request) => {
  const cursor = new URL(request.url).searchParams.get('cursor') ?? undefined
  const result = await api('GET /beak/audit', { query: { limit: '1000', cursor } })
  return Response.json(result.ok ? result.data : result.problem, {
    status: result.ok ? 200 : result.problem.status,
  })
})
