/** The problem document of a refused call (RFC 9457) and predicates for it. */
import type { FailureName, FieldError } from '@/lib/kernel/request/failures'

export interface Problem {
  status: number
  code: string
  /** What went wrong. Decide by it, never by a text. */
  reason: FailureName
  detail: string
  action: string
  /** Undefined when the page itself found the problem. */
  request_id?: string
  errors?: FieldError[]
  retry_after?: number
  required_tier?: string
  current_tier?: string
  current_status?: string
  next_allowed_at?: string
  /** What the caller has to do first. Only pages set `fresh_code`: a sign-in with a code, whatever else the caller has. */
  required?: 'passkey' | 'fresh_sign_in' | 'fresh_code'
}

/** The thing does not exist, or the caller may not see it. */
export const isMissing = ({ status }: Problem) => status === 404

/** The request is malformed, for example with a truncated id. */
export const isMalformed = ({ status }: Problem) => status === 400

/** The session or the code was refused. */
export const isUnauthenticated = ({ status }: Problem) => status === 401

/** The thing has changed since the page was loaded. */
export const isConflict = ({ status }: Problem) => status === 409

/** The rejection was taken back before: the request waits for an answer. */
export const hasNothingToUndo = ({ reason }: Problem) => reason === 'nothing_to_undo'

/** An earlier attempt with the same idempotency key has no answer yet. */
export const isRunning = ({ reason }: Problem) => reason === 'idempotency_key_busy'

export const isRateLimited = ({ status }: Problem) => status === 429

/** Returns a problem that the page itself found, with a message for a field. */
export function fieldProblem(field: string, message: string): Problem {
  return {
    status: 400,
    code: 'E4000',
    reason: 'invalid_request',
    detail: message,
    action: '',
    errors: [{ field, message }],
  }
}
