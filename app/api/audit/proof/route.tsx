import { api } from '@/app/_web/api'
import { download, refuseDownload, sameOriginRoute } from '@/app/_web/download'

/** Downloads the proof that the transparency log contains the viewer's log, or with `entries=true` the list of other entries. */
export const GET = sameOriginRoute(async (request) => {
  const isList = new URL(request.url).searchParams.get('entries') === 'true'
  const result = await api('GET /beak/audit/proof', isList ? { query: { entries: 'true' } } : {})
  if (!result.ok) return refuseDownload(request, result.problem, '/audit')
  return download(
    JSON.stringify(result.data),
    isList ? 'beak-log-entries.json' : 'beak-log-proof.json',
    'application/json',
  )
})
