/** The errors that calls reject with. */
import { testMessage } from '@beak/proofs/test-mark'
import type { Problem } from './generated/schemas'

/** A code of the service. The list may grow, so any other text is possible too. */
export type ErrorCode = Problem['code'] | (string & {})

/** The name of what went wrong. Decide by it, not by a text. The list may grow, so any other text is possible too. */
export type ErrorReason = Problem['reason'] | (string & {})

/** A fault of one field of the input. */
export interface FieldError {
  field: string
  message: string
}

/** Returns what happened, with the faults of single fields. */
function messageOf({ detail, errors = [] }: Problem): string {
  if (errors.length === 0) return detail
  return `${detail.replace(/\.$/, '')}: ${errors.map(({ field, message }) => `${field} ${message}`).join('; ')}.`
}

/** The service refused the call with a problem document (RFC 9457). `message` says what happened, and names the fields at fault. */
export class BeakError extends Error {
  override readonly name: string = 'BeakError'
  /** Code of the refusal, for instance `E4008`. `/docs/errors` of the service lists all. */
  readonly code: ErrorCode
  /** What went wrong, for instance `peck_not_pending`. Null when an older version of the service answered. */
  readonly reason: ErrorReason | null
  /** HTTP status. */
  readonly status: number
  /** What to do next. */
  readonly action: string
  /** Seconds to wait before the next attempt, or null. */
  readonly retryAfter: number | null
  /** Id of the request, for the support of the service. */
  readonly requestId: string | null
  /** Faults of single fields. Empty when the refusal is not about fields. */
  readonly errors: readonly FieldError[]
  /** The whole document, with the extra members of the code, such as `required_tier` and `current_status`. */
  readonly problem: Readonly<Problem>

  constructor(problem: Problem, retryAfter: number | null = problem.retry_after ?? null) {
    super(messageOf(problem))
    this.code = problem.code
    this.reason = problem.reason ?? null
    this.status = problem.status
    this.action = problem.action
    this.retryAfter = retryAfter
    this.requestId = problem.request_id
    this.errors = problem.errors ?? []
    this.problem = problem
  }
}

/** No whole answer arrived: the connection failed or broke. Whether the service did what was asked is not known. */
export class BeakConnectionError extends Error {
  override readonly name: string = 'BeakConnectionError'
}

/** No whole answer arrived in time. */
export class BeakTimeoutError extends BeakConnectionError {
  override readonly name = 'BeakTimeoutError'
}

/** Something answered that is not Beak, or not whole: a proxy, a wrong address, broken JSON. */
export class BeakAnswerError extends Error {
  override readonly name = 'BeakAnswerError'
  /** HTTP status of the answer. */
  readonly status: number
  /** Seconds to wait before the next attempt, or null. */
  readonly retryAfter: number | null

  constructor(message: string, status: number, retryAfter: number | null, options?: ErrorOptions) {
    super(message, options)
    this.status = status
    this.retryAfter = retryAfter
  }
}

/**
 * A test service made a credential or an answer, and the client does not allow that. Do not act on it. A program that is tested sets
 * `allowTest: true`.
 */
export class TestCredentialError extends Error {
  override readonly name = 'TestCredentialError'
  readonly reason = 'test_credential'

  constructor() {
    super(testMessage)
  }
}

/** Statuses that say that the service, or a proxy before it, cannot answer now. */
const passingStatuses = [429, 502, 503, 504]

/**
 * Whether the same call may succeed later: too many requests, a service that is not available, a broken connection, or a call with the
 * same idempotency key that still runs.
 */
export function isTransient(error: unknown): boolean {
  if (error instanceof BeakConnectionError) return true
  if (error instanceof BeakError && error.status === 409 && error.retryAfter !== null) return true
  return (
    (error instanceof BeakError || error instanceof BeakAnswerError) && passingStatuses.includes(error.status)
  )
}

/** Returns the seconds that an answer asked to wait, or null. */
export function retryAfterOf(error: unknown): number | null {
  return error instanceof BeakError || error instanceof BeakAnswerError ? error.retryAfter : null
}
