import type { IncomingMessage } from 'node:http'
import { config } from '@/lib/kernel/config'
import { m } from '@/lib/kernel/messages'
import { inLanguage } from '@/lib/kernel/text/language-scope'
import { languageOf } from './language'

const safeMethods = ['GET', 'HEAD', 'OPTIONS']

/**
 * Gives a form the host of `BASE_URL`, because a proxy may have put its own there, or none. Next refuses a form whose `Origin` is not the host of
 * the request. proxy.tsx has the stronger check: it compares `Origin` with `BASE_URL`.
 */
export function setOwnHost({ method = '', headers }: IncomingMessage): void {
  if (safeMethods.includes(method)) return
  headers.host = new URL(config().origin).host
  delete headers['x-forwarded-host']
}

/** Requests that a browser sends from a page of another origin. Also used by proxy.tsx, so it imports little. */

/** Whether the browser says that the request comes from another origin. False when the request has no such header. */
export function isCrossOrigin(request: Request): boolean {
  const origin = request.headers.get('origin')
  if (origin !== null) return origin !== config().origin
  return !['same-origin', 'none', null].includes(request.headers.get('sec-fetch-site'))
}

/** Whether the request is a cross-origin form or server action. Next would answer such a request with an empty 500. */
export function isCrossOriginChange(request: Request): boolean {
  return !safeMethods.includes(request.method) && isCrossOrigin(request)
}

/** Answers a cross-origin form or server action with 403: a small page for a browser, one line of text for a script. */
export function refuseCrossOrigin(request: Request, headers: Headers): Response {
  const language = languageOf(request.headers.get('accept-language') ?? undefined)
  const accept = request.headers.get('accept') ?? ''
  const isPage = accept.includes('text/html') && !request.headers.has('next-action')
  headers.set('Cache-Control', 'no-store')
  headers.set('Content-Type', `text/${isPage ? 'html' : 'plain'}; charset=utf-8`)
  const text = inLanguage(language, () => (isPage ? refusalPage(language) : refusalLine()))
  return new Response(text, { status: 403, headers })
}

function refusalLine(): string {
  return `${m.problem_form_of_another_site()} ${m.problem_cross_origin_advice({ url: config().baseUrl })}\n`
}

function refusalPage(language: string): string {
  const { baseUrl } = config()
  const link = `<a href="${baseUrl}/">${baseUrl}</a>`
  return `<!doctype html>
<html lang="${language}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${m.problem_request_refused()} · Beak</title>
<main>
<h1>${m.problem_request_refused()}</h1>
<p>${m.problem_form_of_another_site()}</p>
<p>${m.problem_cross_origin_advice({ url: link })}</p>
</main>
</html>
`
}
