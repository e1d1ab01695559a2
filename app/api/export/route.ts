import { redirect } from 'next/navigation'
import { GET as exportAccount } from '@/app/beak/account/export/route'
import { callApi } from '@/lib/web/call-api'

/** Everything held about the viewer, as one document to keep. */
export async function GET(): Promise<Response> {
  const result = await callApi(exportAccount, 'GET')
  if (!result.ok) {
    if (result.problem.status === 401) redirect('/signin?next=/account')
    return Response.json(result.problem, { status: result.problem.status })
  }
  return Response.json(result.data, {
    headers: {
      'Content-Disposition': 'attachment; filename="beak-export.json"',
      'Cache-Control': 'no-store',
    },
  })
}
