/**
 * Limits requests for pages by address (contract A, Limits), because rendering a page costs many times as much as a call of the API, and
 * readers of pages must not delay the API. Pictures for links cost more still and have their own limit.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { PageLimitGroup } from '@/lib/kernel/config/limit-table'
import { inLanguage } from '@/lib/kernel/language-scope'
import { m } from '@/lib/kernel/messages'
import { clientAddress } from './address'
import { takeByAddress } from './address-limit'
import { languageOf } from './language'

/** The pictures that other sites show for a link. Next adds a hash to some of their names. */
const shareImage = /\/opengraph-image[^/]*$/

/** Returns the limit group of a request target. */
function groupOf(target: string): PageLimitGroup {
  const [path = '/'] = target.split('?')
  return shareImage.test(path) ? 'images' : 'pages'
}

/** Whether the request may be answered. Otherwise answers it with 429, without Next. */
export async function admitToPages(
  request: Pick<IncomingMessage, 'headers' | 'socket' | 'url'>,
  response: ServerResponse,
): Promise<boolean> {
  const forwarded = request.headers['x-forwarded-for']
  const address = clientAddress({
    peer: request.socket.remoteAddress ?? null,
    headers: { 'x-forwarded-for': Array.isArray(forwarded) ? forwarded.join() : forwarded },
  })
  const { success, retryAfter } = await takeByAddress(groupOf(request.url ?? '/'), address)
  if (!success) refuse(response, retryAfter, request.headers['accept-language'])
  return success
}

function refuse(response: ServerResponse, retryAfter: number, acceptLanguage: string | undefined): void {
  const language = languageOf(acceptLanguage)
  const [title, text] = inLanguage(language, () => [
    m.problem_too_many_requests(),
    m.problem_try_again_in({ count: retryAfter }),
  ])
  const html = `<!doctype html><html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><main><h1>${title}</h1><p>${text}</p></main></html>`
  response.writeHead(429, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': Buffer.byteLength(html),
    'Content-Security-Policy': "default-src 'none'",
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
    'Retry-After': retryAfter,
  })
  response.end(html)
}
