import { callApi } from '@/app/_web/call-api'
import { forOwnPages } from '@/app/_web/own-pages'
import { GET as auditHead } from '@/app/beak/audit/head/route'

/** The signed end of the viewer's log, for the check of the chain in the browser. */
export const GET = forOwnPages(async () => {
  const result = await callApi(auditHead, 'GET')
  return Response.json(result.ok ? result.data : result.problem, {
    status: result.ok ? 200 : result.problem.status,
  })
})
