import { type Check, checkCertificate } from '@/app/_web/certificate-check'
import { badgeSvg } from '@/app/badge/badge-svg'

/** A picture nobody believes wrongly: browsers and proxies that show only pictures answered with 200 show none instead. */
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

/** `/badge/CERT-….svg`: the state of a certificate at this moment, for an `<img>` on any page. */
export async function GET(_request: Request, { params }: RouteContext): Promise<Response> {
  const { file } = await params
  const check: Check = file.endsWith('.svg')
    ? await checkCertificate(file.slice(0, -'.svg'.length))
    : { state: 'malformed' }
  const holder =
    'certificate' in check ? { name: check.certificate.display_name, tier: check.certificate.tier } : null
  return new Response(badgeSvg({ state: check.state, holder }), {
    status: statuses[check.state],
    headers: {
      'Content-Type': 'image/svg+xml; charset=utf-8',
      // Asked for again each time: a badge kept for a minute would say "valid" for a minute after the revocation.
      'Cache-Control': 'max-age=0, must-revalidate',
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
      'Cross-Origin-Resource-Policy': 'cross-origin',
      ...(check.state === 'unchecked' ? { 'Retry-After': String(check.retryAfter ?? 5) } : {}),
    },
  })
}
