/**
 * Who may use a test service: programs on this computer. The service listens on the loopback address only, so strangers in the network do not
 * reach it. What remains are web pages that the developer visits.
 */
import type { Answer, Call } from '@/lib/http/call'

const loopbackHost = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i

/**
 * Whether the call names this computer as its host. A page whose own name was changed to lead to this computer (DNS rebinding) sends that
 * name. For such a page the service is of the same origin, so no other header tells it from a program.
 */
export function namesThisComputer({ headers }: Pick<Call, 'headers'>): boolean {
  return loopbackHost.test(headers.host ?? '')
}

/**
 * Whether a program sent the call, and not a web page. A browser names the origin of a page that sends a request, or where a request comes
 * from.
 */
export function isFromProgram({ headers }: Pick<Call, 'headers'>): boolean {
  const site = headers['sec-fetch-site']
  return headers.origin === undefined && (site === undefined || site === 'none')
}

/** The answer to a page at an address of `/beak/test`. */
export const refusePage = () => refuse('Only programs on this computer may do this, and no web page.')

/** The answer to a call that names another host. */
export const refuseHost = () =>
  refuse('A test service answers only at localhost, 127.0.0.1 and [::1]. Use one of them as the host.')

/** Returns a refusal without the headers that let pages read answers. */
function refuse(detail: string): Answer {
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
