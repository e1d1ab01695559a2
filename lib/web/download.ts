/** What the page routes under /api answer, which a browser fetches or downloads with its cookie. */
import { NextResponse } from 'next/server'
import { config } from '@/lib/kernel/config'
import type { Problem } from './call-api'

/** A file to keep. */
export function download(body: BodyInit, name: string, type: string): Response {
  return new Response(body, {
    headers: {
      'Content-Type': type,
      'Content-Disposition': `attachment; filename="${name}"`,
    },
  })
}

/** The answer to a refused download: whoever is not signed in goes and signs in, and comes back to the page it is offered on. */
export function refuseDownload(problem: Problem, page: string): Response {
  if (problem.status === 401)
    return NextResponse.redirect(`${config().baseUrl}/signin?next=${encodeURIComponent(page)}`)
  return Response.json(problem, { status: problem.status })
}
