import { api } from '@/app/_web/api'
import { download, refuseDownload } from '@/app/_web/download'
import { sameOriginRoute } from '@/app/_web/same-origin-route'

/** Downloads the proof that the transparency log contains the viewer's log. It can be checked offline. */
export const GET = sameOriginRoute(async (request) => {
  const result = await api('GET /beak/audit/proof')
  if (!result.ok) return refuseDownload(request, result.problem, '/audit')
  return download(JSON.stringify(result.data), 'beak-log-proof.json', 'application/json')
})
