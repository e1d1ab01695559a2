import { redirect } from 'next/navigation'
import { GET as view } from '@/app/beak/cert/view/route'
import { callApi } from '@/lib/web/call-api'

/** The viewer's certificate as a signed credential, to keep and to check offline. */
export async function GET(): Promise<Response> {
  const result = await callApi(view, 'GET')
  if (!result.ok) {
    if (result.problem.status === 401) redirect('/signin?next=/certificate')
    return Response.json(result.problem, { status: result.problem.status })
  }
  const { cert_id, credential } = result.data
  return new Response(credential, {
    headers: {
      'Content-Type': 'application/vc+jwt',
      'Content-Disposition': `attachment; filename="${cert_id}.jwt"`,
      'Cache-Control': 'no-store',
    },
  })
}
