/** Answers: JSON on success, RFC 9457 problem documents otherwise, and the headers of every answer. */
import type { z } from 'zod'
import { isUnreachable } from '@/lib/db/conflict'
import { describeFailure } from '@/lib/db/full-disk'
import { config } from '@/lib/kernel/config'
import { fromConfig } from '@/lib/kernel/config/from-config'
import { errorCodes, Failure, fail, failureTable } from '@/lib/kernel/failures'
import { log } from '@/lib/kernel/log'
import { project } from '@/lib/kernel/projection'
import { marked } from '@/lib/kernel/test-service'
import type { Answer } from './call'
import type { Definition } from './definition'
import { jsonInSlices } from './json-in-slices'
import { transportHeaders } from './transport'

/** Headers that scripts of any origin may read (contract A). */
const exposed =
  'X-Request-Id, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, Allow, Deprecation, Sunset, Link, Idempotency-Replayed'

const constantHeaders = fromConfig(() => ({
  'Cache-Control': 'no-store',
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': exposed,
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Referrer-Policy': 'no-referrer',
  ...transportHeaders(),
}))

/**
 * Returns the headers of every answer, in a new object. The stages add their headers to this object: V8 needs 5 µs for each copy
 * that also gets new names.
 */
export function baseHeaders(requestId: string): Answer['headers'] {
  return { 'X-Request-Id': requestId, ...constantHeaders() }
}

/**
 * Answers 200 with what a handler returned, and adds to `headers`. JSON goes through the projection of the response schema, so only the
 * fields that it names are sent.
 */
export function succeed(definition: Definition, result: unknown, headers: Answer['headers']): Answer {
  const body =
    definition.media === undefined ? jsonOf(definition.response, result) : (result as Answer['body'])
  return withBody(definition, body, headers)
}

/** Does the same for a call that causes much work, whose answer can be large. */
export async function succeedInSlices(
  definition: Definition,
  result: unknown,
  headers: Answer['headers'],
): Promise<Answer> {
  return withBody(definition, await jsonInSlices(definition.response, result), headers)
}

function withBody(definition: Definition, body: Answer['body'], headers: Answer['headers']): Answer {
  const { media = 'application/json', responseHeaders } = definition
  Object.assign(headers, responseHeaders)
  headers['Content-Type'] = media
  return { status: 200, headers, body }
}

/** Returns the JSON of an answer, in a test service with its mark. A receipt has the mark in its signature, and no other member. */
function jsonOf(response: z.ZodType, result: unknown): string {
  const answer = project(response, result) as object
  return JSON.stringify('jws' in answer ? answer : marked(answer))
}

/**
 * Returns a thrown value as a `Failure`. Other errors become `unavailable` (the database cannot be reached) or `internal_error`.
 * Their cause is logged and not sent to the client.
 */
export function toFailure(error: unknown, requestId: string): Failure {
  if (error instanceof Failure) return error
  const failure = isUnreachable(error) ? fail('unavailable', { retry_after: 5 }) : fail('internal_error')
  log().error(
    { request_id: requestId, failure: failure.failure, error: describeFailure(error) },
    'request failed',
  )
  return failure
}

/** Answers with the problem document of a failure (contract A), and adds to `headers`. */
export function problem(failure: Failure, requestId: string, headers: Answer['headers']): Answer {
  const { code, ...texts } = failureTable[failure.failure]
  const { status, title } = errorCodes[code]
  const { detail = texts.detail, action = texts.action, ...extras } = failure.extras
  const { retry_after } = extras
  const body = {
    type: `${config().baseUrl}/docs/errors#${code}`,
    title,
    status,
    detail,
    code,
    reason: failure.failure,
    message: detail,
    success: false,
    request_id: requestId,
    action,
    ...extras,
  }
  headers['Content-Type'] = 'application/problem+json'
  if (status === 401) headers['WWW-Authenticate'] = challenge(failure)
  if (retry_after !== undefined) headers['Retry-After'] = String(retry_after)
  return { status, headers, body: JSON.stringify(body) }
}

/** RFC 6750, section 3. */
function challenge(failure: Failure): string {
  return failure.failure === 'session_invalid' || failure.failure === 'beak_key_invalid'
    ? 'Bearer realm="beak", error="invalid_token"'
    : 'Bearer realm="beak"'
}
