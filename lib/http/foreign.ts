/** Requests that a browser sends on behalf of another site. Also used by proxy.ts, so it imports little. */
import { config } from '@/lib/kernel/config'

/** Whether the browser says that another site, or another host of this one, sends this. One that says nothing is not foreign. */
export function isForeign(request: Request): boolean {
  const origin = request.headers.get('origin')
  if (origin !== null) return origin !== config().origin
  return !['same-origin', 'none', null].includes(request.headers.get('sec-fetch-site'))
}

const safeMethods = ['GET', 'HEAD', 'OPTIONS']

/** Whether a foreign request may change something: a form or a server action. Next would answer it with an empty 500. */
export function isForeignChange(request: Request): boolean {
  return !safeMethods.includes(request.method) && isForeign(request)
}

/** Answers a foreign form or server action with 403: a small page for a browser, one line of text for a script. */
export function refuseForeign(request: Request, headers: Headers): Response {
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
