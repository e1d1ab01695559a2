/** Answers of the page routes under /api, which a browser fetches or downloads with its cookie. */

import { NextResponse } from 'next/server'
import { responseOf } from '@/lib/http/adapters'
import { problem } from '@/lib/http/answer'
import { requestIdOf } from '@/lib/http/call'
import { isCrossOrigin } from '@/lib/http/own-host'
import { config } from '@/lib/kernel/config'
import { fail } from '@/lib/kernel/request/failures'
import type { Result } from './api'
import { isMissing, isRateLimited, isUnauthenticated, type Problem } from './problem'

/** Answers a script with the data of a call, or with its problem. */
export function answerJson<T>(result: Result<T>): Response {
  return result.ok
    ? Response.json(result.data)
    : Response.json(result.problem, { status: result.problem.status })
}

/** Returns an answer that the browser saves as a file. */
export function download(body: BodyInit, name: string, type: string): Response {
  return new Response(body, {
    headers: {
      'Content-Type': type,
      'Content-Disposition': `attachment; filename="${name}"`,
    },
  })
}

/**
 * Returns the answer to a refused download. A browser that follows a link is redirected: to sign-in and back to `page`, or to a page
 * that explains the refusal. A script gets the problem itself.
 */
export function refuseDownload(request: Request, problem: Problem, page: string): Response {
  if (!request.headers.get('accept')?.includes('text/html'))
    return Response.json(problem, { status: problem.status })
  const to = isUnauthenticated(problem)
    ? `/signin?${new URLSearchParams({ next: page })}`
    : `/download-failed?${new URLSearchParams({ ...reasonOf(problem), from: page })}`
  return NextResponse.redirect(`${config().baseUrl}${to}`, 303)
}

/** Names the reason. The page chooses the text, so a crafted link cannot put its own text on the page. */
function reasonOf(problem: Problem): Record<string, string> {
  if (problem.required !== undefined) return { why: problem.required }
  if (isRateLimited(problem)) return { why: 'limited', wait: String(problem.retry_after ?? 60) }
  return { why: isMissing(problem) ? 'missing' : 'other' }
}

/** Routes under /api: they accept the cookie of a browser, so only our own pages may request them. */

/** Wraps such a route: refuses requests from other sites and forbids caching. */
export function sameOriginRoute(answer: (request: Request) => Promise<Response>) {
  return async (request: Request): Promise<Response> => {
    const requestId = requestIdOf({ 'x-request-id': request.headers.get('x-request-id') ?? undefined })
    const response = isCrossOrigin(request)
      ? responseOf(problem(fail('cross_origin_request'), requestId, { 'X-Request-Id': requestId }))
      : await answer(request)
    if (!response.headers.has('Cache-Control')) response.headers.set('Cache-Control', 'no-store')
    response.headers.set('Cross-Origin-Resource-Policy', 'same-origin')
    return response
  }
}
