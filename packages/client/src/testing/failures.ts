/** The refusals of the fake. A test compares each with the table of the service. */
import type { ErrorCode } from '../errors'
import type { Problem } from '../generated/schemas'

interface Failure {
  code: ErrorCode
  status: number
  title: string
  detail: string
  action: string
}

const notFound = { code: 'E4005', status: 404, title: 'Not found' } as const
const unknown = { code: 'E4006', status: 401, title: 'Invalid or missing credential' } as const
const notAllowed = { code: 'E4007', status: 403, title: 'Not allowed' } as const
const wrongState = { code: 'E4008', status: 409, title: 'Wrong state' } as const
const askAgain = 'See current_status. If needed, ask again with POST /beak/peck/request.'
const askForLink = 'Ask the person who gave you the link for a new one.'

/** By `reason`. */
export const failures = {
  invalid_request: {
    code: 'E4000',
    status: 400,
    title: 'Invalid request',
    detail: 'The request is not valid.',
    action: 'Correct the fields named in errors and send the request again.',
  },
  beak_key_invalid: {
    code: 'E4001',
    status: 401,
    title: 'Invalid or missing beak key',
    detail: 'The beak key is invalid or missing.',
    action:
      "Send the agent's current beak key in X-Beak-Key. Its owner can issue a new one with POST /beak/key/rotate.",
  },
  peck_recently_rejected: {
    code: 'E4004',
    status: 429,
    title: 'Rate limit exceeded',
    detail: 'This duckling rejected the same action from you or one of your agents less than an hour ago.',
    action:
      'Wait for the number of seconds in Retry-After before asking for the same action again. Another number or sign in its name makes no difference.',
  },
  path_not_found: {
    ...notFound,
    detail: 'Not found.',
    action: 'Check the path against GET /beak/openapi.json.',
  },
  duckling_not_found: {
    ...notFound,
    detail: 'There is no such duckling.',
    action: 'Check the duckling_id or the handle.',
  },
  peck_not_found: {
    ...notFound,
    detail: 'You have no peck with this id.',
    action: 'Check the peck_id against GET /beak/peck/history.',
  },
  agent_not_registered: {
    ...notFound,
    detail: 'There is no such agent.',
    action: 'Check the agent_id. Do not trust an agent that is not registered here.',
  },
  invitation_not_found: {
    ...notFound,
    detail: 'There is no such invitation link.',
    action: 'Check that the link is complete. Ask the person who gave it to you for a new one.',
  },
  session_invalid: {
    ...unknown,
    detail: 'The session token is missing, invalid, expired or revoked.',
    action: 'Sign in again and send Authorization: Bearer <token>.',
  },
  grant_token_invalid: {
    ...unknown,
    detail: 'The grant token is not valid or has expired.',
    action:
      'Get a new grant_token from GET /beak/peck/status, or ask for the permission again with POST /beak/peck/request.',
  },
  agent_not_allowed: {
    ...notAllowed,
    detail: 'Agents are not allowed to do this.',
    action: 'Its operator can do this with a session token.',
  },
  not_the_target: {
    ...notAllowed,
    detail: 'Only the target of this peck can decide it.',
    action: 'Wait for the answer, or cancel the peck with POST /beak/peck/cancel.',
  },
  not_the_asker: {
    ...notAllowed,
    detail: 'Only the asker of this peck can do this.',
    action: 'Send the request with the credentials of the asker.',
  },
  grant_mismatch: {
    ...notAllowed,
    detail: 'This grant does not cover this request.',
    action: 'Use a grant that was given to you, with the same action and the same params that were approved.',
  },
  grant_audience_mismatch: {
    ...notAllowed,
    detail: 'This permission is meant for another service.',
    action: 'Ask for a permission that names this service as its audience.',
  },
  invitation_mismatch: {
    ...notAllowed,
    detail: 'This invitation link is for another agent or another action.',
    action:
      'GET /beak/invitation/view names the action. Ask the person who gave you the link for one that fits.',
  },
  invitation_revoked: {
    ...wrongState,
    detail: 'This invitation link was revoked.',
    action: askForLink,
  },
  invitation_used_up: {
    ...wrongState,
    detail: 'This invitation link has been used up.',
    action: askForLink,
  },
  invitation_expired: {
    ...wrongState,
    detail: 'This invitation link has expired.',
    action: askForLink,
  },
  peck_not_pending: { ...wrongState, detail: 'This peck is no longer pending.', action: askAgain },
  nothing_to_undo: {
    ...wrongState,
    detail: 'It is too late to undo this decision, or there is none.',
    action: 'Read the peck with GET /beak/peck/status. To end a permission, use POST /beak/peck/revoke.',
  },
  peck_undecided: {
    ...wrongState,
    detail: 'This peck is still pending, so there is no receipt yet.',
    action: 'Wait for the answer with GET /beak/peck/status.',
  },
  paused: {
    ...wrongState,
    detail: 'The owner has paused everything that may happen without asking.',
    action:
      'Nothing has ended. Try again later: it goes on when the owner resumes. Do not ask again for the same.',
  },
  grant_not_active: { ...wrongState, detail: 'This grant is not active.', action: askAgain },
  idempotency_key_reused: {
    code: 'E4013',
    status: 422,
    title: 'Idempotency key used for another request',
    detail: 'This Idempotency-Key was used for another request.',
    action:
      'Make a new key for each request, such as a random UUID, and use it again only to repeat that request.',
  },
} as const satisfies Record<string, Failure>

type Extras = Partial<Pick<Problem, 'errors' | 'retry_after' | 'current_status'>>

/** Thrown by the fake, and answered as a problem document. */
export class Refused extends Error {
  constructor(
    readonly reason: keyof typeof failures,
    readonly extras: Extras = {},
  ) {
    super(reason)
  }
}

/** Returns the answer of the service to a refused request. */
export function problemOf({ reason, extras }: Refused, issuer: string, requestId: string): Response {
  const { code, status, title, detail, action } = failures[reason]
  const problem: Problem = {
    type: `${issuer}/docs/errors#${code}`,
    title,
    status,
    detail,
    code,
    reason,
    message: detail,
    success: false,
    request_id: requestId,
    action,
    ...extras,
  }
  const headers = new Headers({ 'Content-Type': 'application/problem+json', 'X-Request-Id': requestId })
  if (extras.retry_after !== undefined) headers.set('Retry-After', String(extras.retry_after))
  return new Response(JSON.stringify(problem), { status, headers })
}
