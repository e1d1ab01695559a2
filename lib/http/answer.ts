/** Answers: JSON on success, RFC 9457 problem documents otherwise, and the headers of every answer. */
import { isUnreachable } from '@/lib/db/conflict'
import { config } from '@/lib/kernel/config'
import { errorCodes, Failure, fail, failureTable } from '@/lib/kernel/failures'
import { describeError, log } from '@/lib/kernel/log'
import type { Answer } from './call'
import type { Definition } from './definition'
import { transportHeaders } from './transport'

/** Headers that scripts of any origin may read (contract A). */
const exposed = 'X-Request-Id, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, Allow, Deprecation'

/** Returns the headers of every answer. */
export function baseHeaders(requestId: string): Answer['headers'] {
  return {
    'X-Request-Id': requestId,
    'Cache-Control': 'no-store',
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': exposed,
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Referrer-Policy': 'no-referrer',
    ...transportHeaders(),
  }
}

/** Answers 200 with what a handler returned. JSON goes through the response schema, so only the fields that it names are sent. */
export function succeed(definition: Definition, result: unknown, headers: Answer['headers']): Answer {
  const { media = 'application/json', response, responseHeaders } = definition
  return {
    status: 200,
    headers: { ...headers, ...responseHeaders, 'Content-Type': media },
    body:
      definition.media === undefined ? JSON.stringify(response.parse(result)) : (result as Answer['body']),
  }
}

/**
 * Returns a thrown value as a `Failure`. Other errors become `unavailable` (the database cannot be reached) or `internal_error`.
 * Their cause is logged and not sent to the client.
 */
export function toFailure(error: unknown, requestId: string): Failure {
  if (error instanceof Failure) return error
  const failure = isUnreachable(error) ? fail('unavailable', { retry_after: 5 }) : fail('internal_error')
  log().error(
    { request_id: requestId, failure: failure.failure, error: describeError(error) },
    'request failed',
  )
  return failure
}

/** Answers with the problem document of a failure (contract A). */
export function problem(failure: Failure, requestId: string, headers: Answer['headers']): Answer {
  const { code, detail, action } = failureTable[failure.failure]
  const { status, title } = errorCodes[code]
  const { retry_after } = failure.extras
  const body = {
    type: `${config().baseUrl}/docs/errors#${code}`,
    title,
    status,
    detail,
    code,
    message: detail,
    success: false,
    request_id: requestId,
    action,
    ...failure.extras,
  }
  return {
    status,
    headers: {
      ...headers,
      'Content-Type': 'application/problem+json',
      ...(status === 401 ? { 'WWW-Authenticate': challenge(failure) } : {}),
      ...(retry_after === undefined ? {} : { 'Retry-After': String(retry_after) }),
    },
    body: JSON.stringify(body),
  }
}

/** RFC 6750, section 3. */
function challenge(failure: Failure): string {
  return failure.failure === 'session_invalid' || failure.failure === 'beak_key_invalid'
    ? 'Bearer realm="beak", error="invalid_token"'
    : 'Bearer realm="beak"'
}
