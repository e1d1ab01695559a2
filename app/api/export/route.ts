import { callApi } from '@/app/_web/call-api'
import { download, refuseDownload } from '@/app/_web/download'
import { forOwnPages } from '@/app/_web/own-pages'
import { GET as exportAccount } from '@/app/beak/account/export/route'

/** Everything held about the viewer, as one document to keep. */
export const GET = forOwnPages(async (request) => {
  const result = await callApi(exportAccount, 'GET')
  if (!result.ok) return refuseDownload(request, result.problem, '/account')
  return download(JSON.stringify(result.data), 'beak-export.json', 'application/json')
})
