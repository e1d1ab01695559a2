/** Answers: JSON on success, RFC 9457 problem documents otherwise, and the headers every answer has. */
import { isUnreachable } from '@/lib/db/conflict'
import { config } from '@/lib/kernel/config'
import { errorCodes, Failure, fail, failureTable } from '@/lib/kernel/failures'
import { describeError, log } from '@/lib/kernel/log'
import { transportHeaders } from './transport'

/** What any origin may read of our answers (contract A). */
const exposed = 'X-Request-Id, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, Allow, Deprecation'

/** The headers of every answer. */
export function baseHeaders(requestId: string): Headers {
  return new Headers({
    'X-Request-Id': requestId,
    'Cache-Control': 'no-store',
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': exposed,
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Referrer-Policy': 'no-referrer',
    ...transportHeaders(),
  })
}

/** A 200 with a JSON object. */
export function json(body: unknown, headers: Headers): Response {
  headers.set('Content-Type', 'application/json')
  return new Response(JSON.stringify(body), { status: 200, headers })
}

/**
 * Any thrown thing as a `Failure`: what is not one already is an outage (E5002) or our own fault (E5001), logged with its
 * cause and never shown.
 */
export function asFailure(error: unknown, requestId: string): Failure {
  if (error instanceof Failure) return error
  const failure = isUnreachable(error) ? fail('unavailable', { retry_after: 5 }) : fail('internal_error')
  log().error(
    { request_id: requestId, failure: failure.failure, error: describeError(error) },
    'request failed',
  )
  return failure
}

/** The problem document of a failure (contract A). */
export function problem(failure: Failure, requestId: string, headers: Headers): Response {
  const { code, detail, action } = failureTable[failure.failure]
  const { status, title } = errorCodes[code]
  headers.set('Content-Type', 'application/problem+json')
  if (status === 401) headers.set('WWW-Authenticate', challenge(failure))
  if (failure.extras.retry_after !== undefined) headers.set('Retry-After', String(failure.extras.retry_after))
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
  return new Response(JSON.stringify(body), { status, headers })
}

/** RFC 6750, section 3. */
function challenge(failure: Failure): string {
  return failure.failure === 'session_invalid' || failure.failure === 'beak_key_invalid'
    ? 'Bearer realm="beak", error="invalid_token"'
    : 'Bearer realm="beak"'
}
