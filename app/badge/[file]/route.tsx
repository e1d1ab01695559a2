import { type Check, checkCertificate } from '@/app/_web/certificate-check'
import { badgeSvg } from '@/app/badge/badge-svg'

/** Failures have an error status. Browsers and proxies that then show no image are safe: nobody sees a valid badge. */
const statuses: Record<Check['state'], number> = {
  valid: 200,
  revoked: 200,
  superseded: 200,
  unknown: 404,
  malformed: 404,
  unchecked: 503,
}

interface RouteContext {
  params: Promise<{ file: string }>
}

/** Draws `/badge/CERT-….svg`, the current state of a certificate, for an `<img>` on any site. */
export async function GET(_request: Request, { params }: RouteContext): Promise<Response> {
  const { file } = await params
  const check: Check = file.endsWith('.svg')
    ? await checkCertificate(file.slice(0, -'.svg'.length))
    : { state: 'malformed' }
  const holder =
    'certificate' in check ? { name: check.certificate.issued_name, tier: check.certificate.tier } : null
  return new Response(badgeSvg({ state: check.state, holder }), {
    status: statuses[check.state],
    headers: {
      'Content-Type': 'image/svg+xml; charset=utf-8',
      // Never cached: a badge cached for a minute would say "valid" for a minute after the revocation.
      'Cache-Control': 'max-age=0, must-revalidate',
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
      'Cross-Origin-Resource-Policy': 'cross-origin',
      ...(check.state === 'unchecked' ? { 'Retry-After': String(check.retryAfter ?? 5) } : {}),
    },
  })
}
