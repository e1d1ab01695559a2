import { api } from '@/app/_web/api'
import { download, refuseDownload } from '@/app/_web/download'
import { sameOriginRoute } from '@/app/_web/same-origin-route'

/** The proof that the transparency log has the viewer's log, to keep and to check offline. */
export const GET = sameOriginRoute(async (request) => {
  const result = await api('GET /beak/audit/proof')
  if (!result.ok) return refuseDownload(request, result.problem, '/audit')
  return download(JSON.stringify(result.data), 'beak-log-proof.json', 'application/json')
})
