import { api } from '@/app/_web/api'
import { download, refuseDownload, sameOriginRoute } from '@/app/_web/download'

/** Downloads the viewer's certificate as a signed credential, which can be verified offline. */
export const GET = sameOriginRoute(async (request) => {
  const result = await api('GET /beak/cert/view')
  if (!result.ok) return refuseDownload(request, result.problem, '/certificate')
  const { cert_id, credential } = result.data
  return download(credential, `${cert_id}.jwt`, 'application/vc+jwt')
})
