/** Answers of the page routes under /api, which a browser fetches or downloads with its cookie. */
import { NextResponse } from 'next/server'
import { config } from '@/lib/kernel/config'
import { isMissing, isRateLimited, isUnauthenticated, type Problem } from './problem'

/** Answers with a file to save. */
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
