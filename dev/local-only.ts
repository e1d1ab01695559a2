/**
 * Who may use `/beak/test`: programs on this computer. The service listens on the loopback address only, so strangers in the network do not
 * reach it. What remains are web pages that the developer visits.
 */
import type { Answer, Call } from '@/lib/http/call'

const loopbackHost = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i

/**
 * Whether a program sent the call, and not a web page. A browser names the origin of a page that sends a request, or where a request comes
 * from. A page whose own name was changed to lead to this computer (DNS rebinding) sends that name as the host.
 */
export function isFromProgram({ headers }: Pick<Call, 'headers'>): boolean {
  const site = headers['sec-fetch-site']
  return (
    loopbackHost.test(headers.host ?? '') &&
    headers.origin === undefined &&
    (site === undefined || site === 'none')
  )
}

/** The answer for everybody else. Without the headers that let pages read answers. */
export function refusePage(): Answer {
  const detail = 'Only programs on this computer may do this, and no web page.'
  return {
    status: 403,
    headers: { 'Content-Type': 'application/problem+json', 'Cache-Control': 'no-store' },
    body: JSON.stringify({
      type: 'about:blank',
      title: 'Forbidden',
      status: 403,
      detail,
      message: detail,
      success: false,
    }),
  }
}
