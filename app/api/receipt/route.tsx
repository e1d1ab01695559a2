import { api } from '@/app/_web/api'
import { download, refuseDownload, sameOriginRoute } from '@/app/_web/download'

/** Downloads the receipt of the outcome of a request that the viewer sent or received. It can be checked offline. */
export const GET = sameOriginRoute(async (request) => {
  const peckId = new URL(request.url).searchParams.get('peck_id') ?? ''
  const result = await api('GET /beak/peck/outcome', { query: { peck_id: peckId } })
  if (!result.ok) return refuseDownload(request, result.problem, '/pecks')
  return download(JSON.stringify(result.data), `beak-receipt-${result.data.peck_id}.json`, 'application/json')
})
