/** The problem document of a refused call (contract A; RFC 9457), and questions that pages ask about it. */
import type { FieldError } from '@/lib/kernel/failures'

export interface Problem {
  status: number
  code: string
  detail: string
  action: string
  /** Missing when the page itself found the problem. */
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

/** There is no such thing, or the caller may not know of it. */
export const isMissing = ({ status }: Problem) => status === 404

/** The request itself is malformed, such as an id that was cut off. */
export const isMalformed = ({ status }: Problem) => status === 400

/** The session or the code was refused. */
export const isUnauthenticated = ({ status }: Problem) => status === 401

/** Somebody changed it meanwhile: what the page shows is outdated. */
export const isConflict = ({ status }: Problem) => status === 409

export const isRateLimited = ({ status }: Problem) => status === 429

/** A problem that the page itself has found, with a message beside a field. */
export function fieldProblem(field: string, message: string): Problem {
  return { status: 400, code: 'E4000', detail: message, action: '', errors: [{ field, message }] }
}
