/**
 * Lets four actions of next-auth through, only for requests from our own pages, and answers 404 to everything else. An answer names
 * a path of this service or one of our error codes, and nothing else. Why codes sign in without next-auth: docs/decisions/0017.
 */
import { NextRequest } from 'next/server'
import NextAuth from 'next-auth'
import { authOptions, csrfCookieName } from '@/app/_web/auth'
import { localPath } from '@/app/_web/local-path'
import { callOf, responseOf } from '@/lib/http/adapters'
import { problem, toFailure } from '@/lib/http/answer'
import { requestIdOf } from '@/lib/http/call'
import { readForm } from '@/lib/http/input'
import { isCrossOrigin } from '@/lib/http/own-host'
import { config } from '@/lib/kernel/config'
import { type ErrorCode, errorCodes, fail } from '@/lib/kernel/request/failures'

interface RouteContext {
  params: Promise<{ nextauth: string[] }>
}

const getCsrfToken = 'GET csrf'

/** The allowed actions, each with the page that follows when the form names none. */
const defaultPages = new Map([
  [getCsrfToken, ''],
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
  const defaultPage = defaultPages.get(action)
  if (defaultPage === undefined) throw fail('path_not_found')
  if (action === getCsrfToken) return forwardToNextAuth(request, context, {})
  // Old browsers send no origin. For them, next-auth's CSRF token is the only check.
  if (isCrossOrigin(request)) throw fail('cross_origin_request')
  const form = await readForm(callOf(request))
  const next = localPath(form.callbackUrl) ?? defaultPage
  const response = await forwardToNextAuth(request, context, { ...form, callbackUrl: next, json: 'true' })
  const { url = '' } = (await response.json()) as { url?: string }
  const { path, status } = readOutcome(new URL(url, config().baseUrl), next)
  return respond(form.json === 'true', path, status, response.headers.getSetCookie())
}

/** Sends next-auth a request that has only its form and its CSRF cookie: no query, and no headers that name another host. */
function forwardToNextAuth(
  request: NextRequest,
  context: RouteContext,
  form: Record<string, string>,
): Promise<Response> {
  const isPost = request.method === 'POST'
  const plain = new NextRequest(`${config().baseUrl}${request.nextUrl.pathname}`, {
    method: request.method,
    ...(isPost ? { body: new URLSearchParams(form) } : {}),
  })
  const csrfCookie = request.cookies.get(csrfCookieName())?.value
  return NextAuth(authOptions(csrfCookie))(plain, context) as Promise<Response>
}

/** Reads the outcome from the address that next-auth answers with. Throws `cross_origin_request` when the CSRF token is missing or wrong. */
function readOutcome({ pathname, searchParams }: URL, next: string): { path: string; status: number } {
  if (pathname.startsWith(`${config().basePath}/api/auth/`)) {
    if (searchParams.has('csrf')) throw fail('cross_origin_request')
    const given = searchParams.get('error') ?? ''
    const code = (Object.hasOwn(errorCodes, given) ? given : 'E5001') as ErrorCode
    return { path: `/signin?${new URLSearchParams({ error: code, next })}`, status: errorCodes[code].status }
  }
  return { path: next, status: 200 }
}

/** Answers a script with JSON and the status of the outcome, as next-auth's own client expects, and a form with a redirect. */
function respond(isScript: boolean, path: string, status: number, cookies: string[]): Response {
  const url = `${config().baseUrl}${path}`
  const headers = new Headers({ 'Cache-Control': 'no-store' })
  for (const cookie of cookies) headers.append('Set-Cookie', cookie)
  if (isScript) return Response.json({ url }, { status, headers })
  headers.set('Location', url)
  return new Response(null, { status: 303, headers })
}

export { handle as GET, handle as POST }
