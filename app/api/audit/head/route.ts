import { GET as auditHead } from '@/app/beak/audit/head/route'
import { callApi } from '@/lib/web/call-api'
import { forOwnPages } from '@/lib/web/own-pages'

/** The signed end of the viewer's log, for the check of the chain in the browser. */
export const GET = forOwnPages(async () => {
  const result = await callApi(auditHead, 'GET')
  return Response.json(result.ok ? result.data : result.problem, {
    status: result.ok ? 200 : result.problem.status,
  })
})
