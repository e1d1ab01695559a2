/**
 * How pages read and write: through the API's own handlers, called in process, so that each rule, limit and audit line exists
 * once. Typed by the endpoint's own schemas. The caller's session comes from the cookie, their address travels along in the
 * header our server vouches for.
 */
import { headers } from 'next/headers'
import { openDatabase } from '@/lib/db/client'
import { peerHeader } from '@/lib/http/address'
import { type Endpoint, requestIdOf, type Wire } from '@/lib/http/endpoint'
import { asFailure, baseHeaders, problem } from '@/lib/http/respond'
import { prepareKeys } from '@/lib/infrastructure/keys/signing-keys'
import { config } from '@/lib/kernel/config'
import type { FieldError } from '@/lib/kernel/failures'
import { sessionToken } from './session-cookie'

/** The problem document of a refused call (contract A). */
export interface Problem {
  status: number
  code: string
  detail: string
  action: string
  /** Missing where a page finds the fault itself. */
  request_id?: string
  errors?: FieldError[]
  retry_after?: number
  required_tier?: string
  current_tier?: string
  current_status?: string
  next_allowed_at?: string
  required?: 'passkey' | 'fresh_sign_in'
}

export type Result<T> = { ok: true; data: T } | { ok: false; problem: Problem }

interface Call<W extends Wire> {
  body?: W['body']
  query?: W['query']
  /** Instead of the session in the cookie; an empty one is no credential at all. */
  token?: string
  headers?: Record<string, string>
}

/** Calls an endpoint on behalf of whoever asked for the page: as a GET unless there is a body or the method says otherwise. */
export async function callApi<W extends Wire>(
  endpoint: Endpoint<W>,
  method: 'GET' | 'POST' | 'PUT',
  call: Call<W> = {},
): Promise<Result<W['response']>> {
  const response = await send(endpoint, await requestFor(method, call))
  const answer: unknown = await response.json()
  return response.ok ? { ok: true, data: answer as W['response'] } : { ok: false, problem: answer as Problem }
}

/** As the server does: a database that does not open is an answer like any other, and some need none. */
async function send(endpoint: Endpoint, request: Request): Promise<Response> {
  if (!endpoint.definition.withoutDatabase) {
    try {
      await openDatabase()
      await prepareKeys()
    } catch (error) {
      const requestId = requestIdOf(request)
      return problem(asFailure(error, requestId), requestId, baseHeaders(requestId))
    }
  }
  return endpoint(request)
}

/** The request behind a call; also for streams, whose answers are not JSON. */
export async function requestFor<W extends Wire>(
  method: string,
  call: Call<W> = {},
  signal?: AbortSignal,
): Promise<Request> {
  const incoming = await headers()
  const url = new URL(config().baseUrl)
  for (const [name, value] of Object.entries((call.query ?? {}) as Record<string, unknown>)) {
    if (value !== undefined && value !== '') url.searchParams.set(name, String(value))
  }
  const token = call.token ?? (await sessionToken())
  const passed = ['user-agent', 'x-forwarded-for', peerHeader].flatMap((name) => {
    const value = incoming.get(name)
    return value === null ? [] : [[name, value] as const]
  })
  return new Request(url, {
    method,
    headers: {
      ...Object.fromEntries(passed),
      ...(token === null || token === '' ? {} : { Authorization: `Bearer ${token}` }),
      ...(call.body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...call.headers,
    },
    ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    ...(signal ? { signal } : {}),
  })
}
