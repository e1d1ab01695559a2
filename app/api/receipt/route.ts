import { GET as receipt } from '@/app/beak/peck/receipt/route'
import { callApi } from '@/lib/web/call-api'
import { download, refuseDownload } from '@/lib/web/download'
import { forOwnPages } from '@/lib/web/own-pages'

/** The receipt of an approval the viewer gave or got, to keep and to check offline. */
export const GET = forOwnPages(async (request) => {
  const peckId = new URL(request.url).searchParams.get('peck_id') ?? ''
  const result = await callApi(receipt, 'GET', { query: { peck_id: peckId } })
  if (!result.ok) return refuseDownload(request, result.problem, '/pecks')
  return download(JSON.stringify(result.data), `beak-receipt-${result.data.peck_id}.json`, 'application/json')
})
