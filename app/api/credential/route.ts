import { callApi } from '@/app/_web/call-api'
import { download, refuseDownload } from '@/app/_web/download'
import { forOwnPages } from '@/app/_web/own-pages'
import { GET as view } from '@/app/beak/cert/view/route'

/** The viewer's certificate as a signed credential, to keep and to check offline. */
export const GET = forOwnPages(async (request) => {
  const result = await callApi(view, 'GET')
  if (!result.ok) return refuseDownload(request, result.problem, '/certificate')
  const { cert_id, credential } = result.data
  return download(credential, `${cert_id}.jwt`, 'application/vc+jwt')
})
