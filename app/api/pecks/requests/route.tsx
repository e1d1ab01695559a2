import { api } from '@/app/_web/api'
import { sameOriginRoute } from '@/app/_web/download'
import { joined } from '@/app/(account)/pecks/_peck/reads'

/** Returns requests with what helps to decide on them, for the inbox: `peck_ids` are up to 100 ids with commas. */
export const GET = sameOriginRoute(async (request) => {
  const ids = new URL(request.url).searchParams.get('peck_ids') ?? ''
  const [pecks, details] = await Promise.all([
    api('GET /beak/peck/history', { query: { peck_ids: ids, direction: 'received', limit: '100' } }),
    api('GET /beak/peck/details', { query: { peck_ids: ids } }),
  ])
  if (!pecks.ok) return Response.json(pecks.problem, { status: pecks.problem.status })
  if (!details.ok) return Response.json(details.problem, { status: details.problem.status })
  return Response.json({ items: joined(pecks.data.items, details.data.items) })
})
