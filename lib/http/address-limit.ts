/** Limits by address. An IPv6 address counts by its /64 and, with a wider limit, by its /48, because one customer can have all of it. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { config } from '@/lib/kernel/config'
import type { AnyLimitGroup, PageLimitGroup } from '@/lib/kernel/config/limits'
import { m } from '@/lib/kernel/messages'
import { wideLimitKeyOf } from '@/lib/kernel/request/host-name'
import { inLanguage } from '@/lib/kernel/text/language-scope'
import { clientAddress, limitKey } from './address'
import { languageOf } from './language'
import type { LimitState } from './limit-state'
import { takeToken } from './limiter'

/** A /48 may do as much as so many of its /64. A whole office, or a village, can share one. */
const wideFactor = 4

/**
 * Takes tokens of the bucket of an address and, for IPv6, of its /48. What the /64 refuses takes nothing from the /48, so one host alone cannot
 * spend the limit of its neighbours. Returns no promise when the buckets are in the memory of this process.
 */
export function takeByAddress(
  group: AnyLimitGroup,
  ip: string | null,
  tokens?: number,
): LimitState | Promise<LimitState> {
  const own = takeToken(group, limitKey(ip), null, tokens)
  const wide = ip === null ? null : wideLimitKeyOf(ip)
  if (wide === null) return own
  const { perMinute, burst } = config().limits[group]
  const takeWide = (state: LimitState) => {
    if (!state.success) return state
    const taken = takeToken(
      group,
      wide,
      { perMinute: perMinute * wideFactor, burst: burst * wideFactor },
      tokens,
    )
    return taken instanceof Promise ? taken.then((all) => narrower(state, all)) : narrower(state, taken)
  }
  return own instanceof Promise ? own.then(takeWide) : takeWide(own)
}

/** The answer names the limit of the /64, unless the /48 refuses. */
const narrower = (own: LimitState, wide: LimitState) => (wide.success ? own : wide)

/**
 * Limits requests for pages by address (contract A, Limits), because rendering a page costs many times as much as a call of the API, and
 * readers of pages must not delay the API. Pictures for links cost more still and have their own limit.
 */

/** The pictures that other sites show for a link. Next adds a hash to some of their names. */
const shareImage = /\/opengraph-image[^/]*$/

/** Returns the limit group of a request target. */
function groupOf(target: string): PageLimitGroup {
  const [path = '/'] = target.split('?')
  return shareImage.test(path) ? 'images' : 'pages'
}

/** Returns the address of the caller of a request that does not pass the route table. */
export function addressOf(request: Pick<IncomingMessage, 'headers' | 'socket'>): string | null {
  const forwarded = request.headers['x-forwarded-for']
  return clientAddress({
    peer: request.socket.remoteAddress ?? null,
    headers: { 'x-forwarded-for': Array.isArray(forwarded) ? forwarded.join() : forwarded },
  })
}

/** Whether the request may be answered. Otherwise answers it with 429, without Next. */
export async function admitToPages(
  request: Pick<IncomingMessage, 'headers' | 'socket' | 'url'>,
  response: ServerResponse,
): Promise<boolean> {
  const { success, retryAfter } = await takeByAddress(groupOf(request.url ?? '/'), addressOf(request))
  if (!success) refuse(response, retryAfter, request.headers['accept-language'])
  return success
}

function refuse(response: ServerResponse, retryAfter: number, acceptLanguage: string | undefined): void {
  const language = languageOf(acceptLanguage)
  const [title, text] = inLanguage(language, () => [
    m.problem_too_many_requests(),
    m.problem_rate_limit_wait({ count: retryAfter }),
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
