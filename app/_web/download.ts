/** Answers of the page routes under /api, which a browser fetches or downloads with its cookie. */
import { NextResponse } from 'next/server'
import { config } from '@/lib/kernel/config'
import type { Result } from './api'
import type { Problem } from './problem'

/** Answers a script with the data of a call, or with its problem. */
export function answerJson<T>(result: Result<T>): Response {
  return result.ok
    ? Response.json(result.data)
    : Response.json(result.problem, { status: result.problem.status })
}

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
 * The answer to a refused download. A browser that follows a link goes to a page: to sign-in and back to `page`, or to the page
 * that says why there is no file. A script gets the problem itself.
 */
export function refuseDownload(request: Request, problem: Problem, page: string): Response {
  if (!request.headers.get('accept')?.includes('text/html'))
    return Response.json(problem, { status: problem.status })
  const to =
    problem.status === 401
      ? `/signin?${new URLSearchParams({ next: page })}`
      : `/download-failed?${new URLSearchParams({ ...reasonOf(problem), from: page })}`
  return NextResponse.redirect(`${config().baseUrl}${to}`, 303)
}

/** Why there is no file, by name: the page chooses the words, so that no link can put words on it. */
function reasonOf({ status, required, retry_after }: Problem): Record<string, string> {
  if (required !== undefined) return { why: required }
  if (status === 429) return { why: 'limited', wait: String(retry_after ?? 60) }
  return { why: status === 404 ? 'missing' : 'other' }
}
