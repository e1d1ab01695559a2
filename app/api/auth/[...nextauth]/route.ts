/**
 * next-auth behind a gate of ours: only the actions the pages need, only for requests from our own pages, and in its answers
 * nothing but a path of ours or the code of a failure.
 */
import { NextRequest } from 'next/server'
import NextAuth from 'next-auth'
import { authOptions, csrfCookieName } from '@/app/_web/auth'
import { localPath } from '@/app/_web/local-path'
import { problem, toFailure } from '@/lib/http/answer'
import { requestIdOf } from '@/lib/http/call'
import { isCrossOrigin } from '@/lib/http/cross-origin'
import { readForm } from '@/lib/http/input'
import { callOf, responseOf } from '@/lib/http/web-adapter'
import { config } from '@/lib/kernel/config'
import { type ErrorCode, errorCodes, fail } from '@/lib/kernel/failures'

interface RouteContext {
  params: Promise<{ nextauth: string[] }>
}

const csrf = 'GET csrf'
/** What is open, and where it leads when it is not told. All else (providers, session, the built-in pages …) is not there. */
const open = new Map([
  [csrf, ''],
  ['POST callback/code', '/home'],
  ['POST callback/passkey', '/home'],
  ['POST signout', '/signed-out'],
])

async function handle(request: NextRequest, context: RouteContext): Promise<Response> {
  const requestId = requestIdOf(callOf(request).headers)
  try {
    return await answer(request, context)
  } catch (error) {
    const headers = { 'X-Request-Id': requestId, 'Cache-Control': 'no-store' }
    return responseOf(problem(toFailure(error, requestId), requestId, headers))
  }
}

async function answer(request: NextRequest, context: RouteContext): Promise<Response> {
  const action = `${request.method} ${(await context.params).nextauth.join('/')}`
  const home = open.get(action)
  if (home === undefined) throw fail('not_found')
  if (action === csrf) return ask(request, context, {})
  // Where the browser says nothing of it, next-auth's CSRF token decides.
  if (isCrossOrigin(request)) throw fail('foreign_request')
  const form = await readForm(callOf(request))
  const next = localPath(form.callbackUrl) ?? home
  const response = await ask(request, context, { ...form, callbackUrl: next, json: 'true' })
  const { url = '' } = (await response.json()) as { url?: string }
  const { path, status } = judge(new URL(url, config().baseUrl), next)
  return tell(form.json === 'true', path, status, response.headers.getSetCookie())
}

/** Hands a request on to next-auth with what it needs and nothing else: no query, no headers that name another host. */
function ask(request: NextRequest, context: RouteContext, form: Record<string, string>): Promise<Response> {
  const isPost = request.method === 'POST'
  const plain = new NextRequest(`${config().baseUrl}${request.nextUrl.pathname}`, {
    method: request.method,
    ...(isPost ? { body: new URLSearchParams(form) } : {}),
  })
  const csrfCookie = request.cookies.get(csrfCookieName())?.value
  return NextAuth(authOptions(csrfCookie))(plain, context) as Promise<Response>
}

/** What an address that next-auth answers with means. Throws `foreign_request` where its CSRF token was missing or wrong. */
function judge({ pathname, searchParams }: URL, next: string): { path: string; status: number } {
  if (pathname.startsWith(`${config().basePath}/api/auth/`)) {
    if (searchParams.has('csrf')) throw fail('foreign_request')
    const given = searchParams.get('error') ?? ''
    const code = (Object.hasOwn(errorCodes, given) ? given : 'E5001') as ErrorCode
    return { path: `/signin?${new URLSearchParams({ error: code, next })}`, status: errorCodes[code].status }
  }
  return { path: next, status: 200 }
}

/** To a script as JSON with the status of the failure, as next-auth's own client expects; to a form as a redirect. */
function tell(isScript: boolean, path: string, status: number, cookies: string[]): Response {
  const url = `${config().baseUrl}${path}`
  const headers = new Headers({ 'Cache-Control': 'no-store' })
  for (const cookie of cookies) headers.append('Set-Cookie', cookie)
  if (isScript) return Response.json({ url }, { status, headers })
  headers.set('Location', url)
  return new Response(null, { status: 303, headers })
}

export { handle as GET, handle as POST }
