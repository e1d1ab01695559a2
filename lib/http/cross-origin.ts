/** Requests that a browser sends from a page of another origin. Also used by proxy.ts, so it imports little. */
import { config } from '@/lib/kernel/config'

/** Whether the browser says that the request comes from another origin. False when the request has no such header. */
export function isCrossOrigin(request: Request): boolean {
  const origin = request.headers.get('origin')
  if (origin !== null) return origin !== config().origin
  return !['same-origin', 'none', null].includes(request.headers.get('sec-fetch-site'))
}

const safeMethods = ['GET', 'HEAD', 'OPTIONS']

/** Whether the request is a cross-origin form or server action. Next would answer such a request with an empty 500. */
export function isCrossOriginChange(request: Request): boolean {
  return !safeMethods.includes(request.method) && isCrossOrigin(request)
}

/** Answers a cross-origin form or server action with 403: a small page for a browser, one line of text for a script. */
export function refuseCrossOrigin(request: Request, headers: Headers): Response {
  const { baseUrl } = config()
  const refused = 'This form was sent from another site, so nothing was changed.'
  const accept = request.headers.get('accept') ?? ''
  const isPage = accept.includes('text/html') && !request.headers.has('next-action')
  headers.set('Cache-Control', 'no-store')
  headers.set('Content-Type', `text/${isPage ? 'html' : 'plain'}; charset=utf-8`)
  const text = `${refused} Open ${baseUrl} and try again there.\n`
  const page = `<!doctype html>
<html lang="en">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Request refused · Beak</title>
<main>
<h1>Request refused</h1>
<p>${refused}</p>
<p>Open <a href="${baseUrl}/">${baseUrl}</a> and try again there.</p>
</main>
</html>
`
  return new Response(isPage ? page : text, { status: 403, headers })
}
