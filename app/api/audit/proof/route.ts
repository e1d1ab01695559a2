import { callApi } from '@/app/_web/call-api'
import { download, refuseDownload } from '@/app/_web/download'
import { forOwnPages } from '@/app/_web/own-pages'
import { GET as auditProof } from '@/app/beak/audit/proof/route'

/** The proof that the transparency log has the viewer's log, to keep and to check offline. */
export const GET = forOwnPages(async (request) => {
  const result = await callApi(auditProof, 'GET')
  if (!result.ok) return refuseDownload(request, result.problem, '/audit')
  return download(JSON.stringify(result.data), 'beak-log-proof.json', 'application/json')
})
