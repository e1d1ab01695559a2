import { checkCertificate } from '@/app/_web/certificate-check'

interface RouteContext {
  params: Promise<{ id: string }>
}

/** Returns a certificate as a signed credential, for offline checks. Public, because it contains no more than the page. */
export async function GET(_request: Request, { params }: RouteContext): Promise<Response> {
  const { id } = await params
  const check = await checkCertificate(id)
  if (!('certificate' in check))
    return new Response('There is no such credential.\n', {
      status: check.state === 'unchecked' ? 503 : 404,
      headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
    })
  return new Response(check.certificate.credential, {
    headers: {
      'Content-Type': 'application/vc+jwt',
      'Content-Disposition': `attachment; filename="${id}.jwt"`,
      'Cache-Control': 'no-store',
    },
  })
}
