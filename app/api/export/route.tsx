import { api } from '@/app/_web/api'
import { download, refuseDownload, sameOriginRoute } from '@/app/_web/download'

/** Downloads everything that Beak stores about the viewer, as one JSON file. */
export const GET = sameOriginRoute(async (request) => {
  const result = await api('GET /beak/account/export')
  if (!result.ok) return refuseDownload(request, result.problem, '/account')
  return download(JSON.stringify(result.data), 'beak-export.json', 'application/json')
})
