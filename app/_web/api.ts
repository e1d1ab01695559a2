/**
 * How pages read and write: `api('POST /beak/peck/approve', { body })` calls the endpoint in this process, through the same core as
 * a request from outside. Method and path are checked by the compiler. All calls of one page request share one request id, and
 * the viewer is authenticated once.
 */
import { createHash } from 'node:crypto'
import { headers } from 'next/headers'
import type { Line, ResponseOf } from '@/app/beak/_api/lines'
import { type PlainInput, plainCall } from '@/app/beak/_api/plain-call'
import { serve } from '@/app/beak/_api/serve'
import { table } from '@/app/beak/_api/table'
import { chosenZone } from '@/components/ui/zone'
import { peerHeader, verifiedPeer } from '@/lib/http/address'
import { type Answer, type Call, requestIdOf } from '@/lib/http/call'
import { findCaller } from '@/lib/http/caller'
import { timeZoneHeader } from '@/lib/http/language'
import { isRunning, type Problem } from './problem'
import { sessionToken } from './session-cookie'

export type Result<T> = { ok: true; data: T } | { ok: false; problem: Problem }

export interface ApiInput<L extends Line> extends PlainInput<L> {
  /** Replaces the session in the cookie. An empty token sends no credential. */
  token?: string
  /** Further request headers, by lower-case name. */
  headers?: Record<string, string>
}

const answer = serve(table)

/**
 * Calls an endpoint as the viewer. Refusals are returned, not thrown. While an earlier attempt of the same submission is running, waits a
 * few seconds for its answer.
 */
export async function api<L extends Line>(line: L, input: ApiInput<L> = {}): Promise<Result<ResponseOf<L>>> {
  for (let attempts = 1; ; attempts++) {
    const { status, body } = await send(line, input)
    const data: unknown = JSON.parse(String(body))
    if (status === 200) return { ok: true, data: data as ResponseOf<L> }
    const problem = data as Problem
    if (!isRunning(problem) || attempts > busyAttemptsMax) return { ok: false, problem }
    await new Promise((resolve) => setTimeout(resolve, (problem.retry_after ?? 1) * 1000))
  }
}

/** Each waits for `retry_after`, which is one second. A proxy may close a request that takes much longer. */
const busyAttemptsMax = 5

/** Calls an endpoint whose answer is not JSON, such as a stream. A stream ends when `signal` aborts. */
export async function send<L extends Line>(
  line: L,
  { body, query, token, headers: extra }: ApiInput<L>,
  signal = new AbortController().signal,
): Promise<Answer> {
  const request = await pageRequest()
  const session = token ?? (await sessionToken()) ?? ''
  const from = {
    headers: {
      ...request.headers,
      ...(session === '' ? {} : { authorization: `Bearer ${session}` }),
      ...(await submissionKey(line, body)),
      ...extra,
    },
    peer: verifiedPeer(request.headers)?.address ?? null,
    signal,
  }
  try {
    return await answer({
      ...plainCall(line, { body, query }, from),
      findCaller: sharedFindCaller(request, session),
    })
  } finally {
    // The change may have raised the caller's tier or ended the session: later calls must authenticate again.
    if (!line.startsWith('GET ')) request.callers.clear()
  }
}

/**
 * Returns the header that makes a repeated submission of a form count once, when the browser has named the submission
 * (components/connection/router-fetch.ts). A form may make several calls, and may be changed before it is sent again, so each call with
 * another body has another key.
 */
async function submissionKey(line: Line, body: unknown): Promise<Record<string, string>> {
  if (line.startsWith('GET ')) return {}
  const submission = (await headers()).get('idempotency-key')
  if (submission === null || submission.length > submissionLengthMax) return {}
  const text = JSON.stringify([submission, line, body ?? null])
  return { 'idempotency-key': createHash('sha256').update(text).digest('base64url') }
}

const submissionLengthMax = 64

interface PageRequest {
  headers: Record<string, string>
  callers: Map<string, ReturnType<typeof findCaller>>
}

/** Keyed by the headers object: Next makes one for each request. */
const pageRequests = new WeakMap<object, PageRequest>()

async function pageRequest(): Promise<PageRequest> {
  const incoming = await headers()
  const existing = pageRequests.get(incoming)
  if (existing) return existing
  const forwarded = ['user-agent', 'accept-language', 'x-forwarded-for', 'x-request-id', peerHeader].flatMap(
    (name) => {
      const value = incoming.get(name)
      return value === null ? [] : [[name, value] as const]
    },
  )
  const zone = await chosenZone()
  const own: Record<string, string> = {
    ...Object.fromEntries(forwarded),
    ...(zone === null ? {} : { [timeZoneHeader]: zone }),
  }
  const request = { headers: { ...own, 'x-request-id': requestIdOf(own) }, callers: new Map() }
  pageRequests.set(incoming, request)
  return request
}

/** Authenticates the session once for all calls of a page request. */
function sharedFindCaller({ callers }: PageRequest, session: string): Call['findCaller'] {
  return (auth, call, context) => {
    if (auth === 'none' || session === '') return findCaller(auth, call, context)
    const caller = callers.get(session) ?? findCaller(auth, call, context)
    callers.set(session, caller)
    return caller
  }
}
