/**
 * Every way the service says no, in one table: outward code and status (contract A), what it means, and what to do next.
 * Domain code throws `fail('certificate_missing')`; only `lib/http/respond.ts` turns it into an answer.
 */
import type { Tier } from './context'

/** The outward codes of spec section 7 and contract A. */
export const errorCodes = {
  E4000: { status: 400, title: 'Invalid request' },
  E4001: { status: 401, title: 'Invalid or missing beak key' },
  E4002: { status: 403, title: 'Trust tier insufficient' },
  E4003: { status: 409, title: 'Identity already exists' },
  E4004: { status: 429, title: 'Rate limit exceeded' },
  E4005: { status: 404, title: 'Not found' },
  E4006: { status: 401, title: 'Invalid or missing credential' },
  E4007: { status: 403, title: 'Not allowed' },
  E4008: { status: 409, title: 'Wrong state' },
  E4009: { status: 403, title: 'Fresh sign-in needed' },
  E4010: { status: 405, title: 'Method not allowed' },
  E4011: { status: 413, title: 'Body too large' },
  E4012: { status: 415, title: 'Unsupported media type' },
  E5001: { status: 500, title: 'Internal server error' },
  E5002: { status: 503, title: 'Service unavailable' },
} as const
export type ErrorCode = keyof typeof errorCodes

interface Outcome {
  code: ErrorCode
  detail: string
  action: string
}

const outcomes = {
  invalid_request: {
    code: 'E4000',
    detail: 'The request is not valid.',
    action: 'Correct the fields named in errors and send the request again.',
  },
  peck_to_self: {
    code: 'E4000',
    detail: 'You cannot ask yourself for permission.',
    action: 'Name another duckling as the target, or let one of your agents ask you.',
  },
  beak_key_invalid: {
    code: 'E4001',
    detail: 'The beak key is invalid or missing.',
    action:
      "Send the agent's current beak key in X-Beak-Key. Its owner can issue a new one with POST /beak/key/rotate.",
  },
  tier_too_low: {
    code: 'E4002',
    detail: 'The trust tier is too low for this.',
    action: 'Reach required_tier: T1 by POST /beak/verify-email, T2 and T3 by PUT /beak/trust/elevate.',
  },
  target_tier_too_low: {
    code: 'E4002',
    detail: 'A standing permission can only be asked of a duckling at tier T2 or higher.',
    action: 'Ask for scope limited or timed, or wait until the target has reached T2.',
  },
  identity_exists: {
    code: 'E4003',
    detail: 'This e-mail address already has an identity.',
    action: 'Sign in with POST /beak/signin/otp and POST /beak/signin instead.',
  },
  rate_limited: {
    code: 'E4004',
    detail: 'Too many requests.',
    action: 'Wait for the number of seconds in Retry-After, then send the request again.',
  },
  code_sends_exhausted: {
    code: 'E4004',
    detail: 'Too many codes were sent to this address.',
    action:
      'Use the code sent last, or wait for the number of seconds in Retry-After before asking for another.',
  },
  code_tries_exhausted: {
    code: 'E4004',
    detail: 'Too many wrong codes: the codes sent so far are no longer valid.',
    action: 'Ask for a new code, then try once more.',
  },
  code_paused: {
    code: 'E4004',
    detail: 'Too many wrong codes in a row: codes are paused for this account.',
    action:
      'Wait for the number of seconds in Retry-After and ask for a new code, or sign in with a passkey.',
  },
  code_locked: {
    code: 'E4004',
    detail: 'Too many wrong codes in a row: codes are switched off for this account for a day.',
    action:
      'Sign in with a passkey or from a device that has signed in before, or wait for the number of seconds in Retry-After.',
  },
  texts_exhausted: {
    code: 'E4004',
    detail: 'Too many text messages were asked for today.',
    action: 'Wait for the number of seconds in Retry-After, then ask again.',
  },
  webhook_busy: {
    code: 'E4004',
    detail: 'As many deliveries as allowed are already on their way to this endpoint or account.',
    action: 'Wait for the number of seconds in Retry-After, then send the test again.',
  },
  waiting_too_many: {
    code: 'E4004',
    detail: 'This account has 20 long polls and event streams open, which is the limit.',
    action: 'Close one, or wait for the number of seconds in Retry-After.',
  },
  name_change_throttled: {
    code: 'E4004',
    detail: 'The display name can be changed once in 30 days.',
    action: 'Wait until next_allowed_at.',
  },
  peck_recently_rejected: {
    code: 'E4004',
    detail: 'This duckling rejected the same action of you or one of your agents less than an hour ago.',
    action: 'Wait for the number of seconds in Retry-After before asking for the same action again.',
  },
  peck_too_many_pending: {
    code: 'E4004',
    detail: 'Ten requests of you and your agents to this duckling are still waiting for an answer.',
    action: 'Wait until some are answered, or cancel some with POST /beak/peck/cancel.',
  },
  not_found: {
    code: 'E4005',
    detail: 'There is nothing here.',
    action: 'Check the path against GET /beak/openapi.json.',
  },
  duckling_missing: {
    code: 'E4005',
    detail: 'There is no such duckling.',
    action: 'Check the duckling_id.',
  },
  certificate_missing: {
    code: 'E4005',
    detail: 'There is no such certificate.',
    action: 'Check the cert_id, or issue a certificate with POST /beak/cert/issue.',
  },
  agent_missing: {
    code: 'E4005',
    detail: 'There is no such agent among yours.',
    action: 'Check the agent_id against GET /beak/agent/list.',
  },
  agent_unknown: {
    code: 'E4005',
    detail: 'There is no such agent.',
    action: 'Check the agent_id. An agent nobody knows here vouches for nothing.',
  },
  peck_missing: {
    code: 'E4005',
    detail: 'There is no such peck among yours.',
    action: 'Check the peck_id against GET /beak/peck/history.',
  },
  passkey_missing: {
    code: 'E4005',
    detail: 'There is no such passkey among yours.',
    action: 'Check the passkey_id against GET /beak/passkey/list.',
  },
  session_missing: {
    code: 'E4005',
    detail: 'There is no such session among yours.',
    action: 'Check the session_id against GET /beak/session/list.',
  },
  webhook_missing: {
    code: 'E4005',
    detail: 'There is no such webhook endpoint or message among yours.',
    action: 'Check the ids against GET /beak/webhook/list and GET /beak/webhook/deliveries.',
  },
  block_missing: {
    code: 'E4005',
    detail: 'You have not blocked this duckling.',
    action: 'Nothing needs to be done.',
  },
  checkpoint_missing: {
    code: 'E4005',
    detail: 'The transparency log has no checkpoint yet.',
    action: 'Try again in ten seconds.',
  },
  tile_missing: {
    code: 'E4005',
    detail: 'The transparency log has no such tile.',
    action: 'Ask for tiles that the size in /.well-known/tlog/checkpoint implies.',
  },
  log_entry_missing: {
    code: 'E4005',
    detail: 'The transparency log has no entry for that event or passkey of yours.',
    action: 'Check seq or passkey_id. New events are logged within a minute: try again then.',
  },
  status_list_missing: {
    code: 'E4005',
    detail: 'There is no such status list.',
    action: 'Take the address from credentialStatus.statusListCredential of the certificate.',
  },
  link_invalid: {
    code: 'E4005',
    detail: 'This link has expired or was used.',
    action: 'Use the newest mail, or sign in and look at your security page.',
  },
  recovery_missing: {
    code: 'E4005',
    detail: 'No removal of passkeys is pending.',
    action: 'Nothing needs to be done.',
  },
  subscription_link_invalid: {
    code: 'E4005',
    detail: 'This link is not valid any more.',
    action: 'Subscribe again with POST /beak/newsletter/subscribe to get a new one.',
  },
  session_invalid: {
    code: 'E4006',
    detail: 'The session token is missing, invalid, expired or revoked.',
    action: 'Sign in again and send Authorization: Bearer <token>.',
  },
  sign_in_refused: {
    code: 'E4006',
    detail: 'The e-mail address or the code (or password) is not right, or the code has expired.',
    action: 'Check both, or ask for a new code with POST /beak/signin/otp.',
  },
  code_invalid: {
    code: 'E4006',
    detail: 'The code is not right or has expired.',
    action: 'Check the newest message, or ask for a new code.',
  },
  passkey_refused: {
    code: 'E4006',
    detail: 'The passkey assertion is not valid, or its challenge has expired or was used.',
    action: 'Ask for new options and try again.',
  },
  handshake_invalid: {
    code: 'E4006',
    detail: 'The handshake token is invalid, expired or used.',
    action: 'Let the owner make a new one with POST /beak/agent/handshake.',
  },
  grant_invalid: {
    code: 'E4006',
    detail: 'The grant token is not valid or has expired.',
    action:
      'Take a fresh grant_token from GET /beak/peck/status, or ask for the permission again with POST /beak/peck/request.',
  },
  sso_token_invalid: {
    code: 'E4006',
    detail: 'The SSO token is invalid, expired or spent.',
    action: 'Issue a new one with POST /beak/sso/issue.',
  },
  agent_not_allowed: {
    code: 'E4007',
    detail: 'An agent may not do this.',
    action: 'Let the operator do it with a session of their own.',
  },
  agent_not_bonded: {
    code: 'E4007',
    detail: 'This agent is not bonded, or it is suspended.',
    action: 'Bond it with POST /beak/agent/bond, or let its operator resume it with POST /beak/agent/resume.',
  },
  capability_missing: {
    code: 'E4007',
    detail: 'This agent does not have the capability for this.',
    action: 'Let the operator register an agent with the capability named in required_capability.',
  },
  not_the_target: {
    code: 'E4007',
    detail: 'Only the duckling that was asked may decide this peck.',
    action: 'Wait for the answer, or cancel the peck with POST /beak/peck/cancel.',
  },
  not_the_asker: {
    code: 'E4007',
    detail: 'Only the one who asked may do this.',
    action: 'Let the asker of the peck do it.',
  },
  grant_other_asker: {
    code: 'E4007',
    detail: 'This grant does not cover that.',
    action: 'Use a grant given to you, for this very action and with the very params that were approved.',
  },
  sso_not_yours: {
    code: 'E4007',
    detail: 'This SSO token may not be bridged by you, or not to this target.',
    action: 'Bridge a token of your own to the target_domain it was issued for.',
  },
  foreign_request: {
    code: 'E4007',
    detail: 'This request does not come from a page of this service, or the page is too old.',
    action: 'Open the page again and repeat it there.',
  },
  already_verified: {
    code: 'E4008',
    detail: 'The e-mail address is already verified.',
    action: 'Nothing needs to be done.',
  },
  already_elevated: {
    code: 'E4008',
    detail: 'This tier has been reached already.',
    action: 'See trust_tier at GET /beak/profile.',
  },
  certificate_active: {
    code: 'E4008',
    detail: 'There is already an active certificate at this tier.',
    action: 'See it at GET /beak/cert/view.',
  },
  agent_wrong_state: {
    code: 'E4008',
    detail: 'The agent is not in a state that allows this.',
    action: 'See current_status and GET /beak/agent/list.',
  },
  agents_too_many: {
    code: 'E4008',
    detail: 'A duckling can have 25 live agents.',
    action: 'Deregister one you no longer need with POST /beak/agent/deregister.',
  },
  peck_not_pending: {
    code: 'E4008',
    detail: 'This peck is no longer pending.',
    action: 'See current_status; ask again with POST /beak/peck/request if needed.',
  },
  peck_not_approved: {
    code: 'E4008',
    detail: 'This peck has not been approved, so there is no receipt.',
    action: 'See current_status; wait for the answer with GET /beak/peck/status.',
  },
  grant_not_active: {
    code: 'E4008',
    detail: 'This grant is not active.',
    action: 'See current_status; ask again with POST /beak/peck/request if needed.',
  },
  passkey_known: {
    code: 'E4008',
    detail: 'This passkey is registered already.',
    action: 'Use another authenticator, or sign in with this one.',
  },
  passkey_needed: {
    code: 'E4008',
    detail: 'You have no passkey yet.',
    action:
      'Add one with POST /beak/passkey/register and POST /beak/passkey/register/verify, then ask again.',
  },
  passkeys_too_many: {
    code: 'E4008',
    detail: 'A duckling can have 20 passkeys.',
    action: 'Remove one you no longer use with POST /beak/passkey/remove.',
  },
  webhooks_too_many: {
    code: 'E4008',
    detail: 'A duckling can have 20 webhook endpoints.',
    action: 'Delete one you no longer need with POST /beak/webhook/delete.',
  },
  webhook_disabled: {
    code: 'E4008',
    detail: 'This webhook endpoint is disabled.',
    action: 'Enable it with POST /beak/webhook/update.',
  },
  fresh_sign_in_needed: {
    code: 'E4009',
    detail: 'This needs a sign-in in the last 10 minutes.',
    action: 'Sign in again, then repeat the request with the new token.',
  },
  fresh_code_needed: {
    code: 'E4009',
    detail: 'This needs a sign-in by code in the last 10 minutes.',
    action: 'Sign in with a code from POST /beak/signin/otp, then repeat the request with the new token.',
  },
  passkey_proof_needed: {
    code: 'E4009',
    detail: 'This needs a confirmation with your passkey in the last 10 minutes.',
    action:
      'Get a challenge from POST /beak/passkey/challenge with purpose confirm, send the assertion to POST /beak/passkey/confirm, then repeat the request.',
  },
  passkey_confirmation_needed: {
    code: 'E4009',
    detail: 'This needs to be confirmed with a passkey.',
    action: 'Get a challenge from POST /beak/passkey/challenge and send the assertion in the field passkey.',
  },
  method_not_allowed: {
    code: 'E4010',
    detail: 'This path does not answer that method.',
    action: 'Use a method named in Allow.',
  },
  body_too_large: {
    code: 'E4011',
    detail: 'The body is larger than 64 KiB.',
    action: 'Send less.',
  },
  media_type_unsupported: {
    code: 'E4012',
    detail: 'The body must be JSON in UTF-8, not compressed.',
    action: 'Send Content-Type: application/json.',
  },
  internal_error: {
    code: 'E5001',
    detail: 'Something went wrong on our side.',
    action: 'Retry with exponential backoff. If it persists, report the request_id.',
  },
  unavailable: {
    code: 'E5002',
    detail: 'The service cannot do this right now.',
    action: 'Retry after the number of seconds in Retry-After.',
  },
} satisfies Record<string, Outcome>

export type FailureName = keyof typeof outcomes
export const failureTable: Record<FailureName, Outcome> = outcomes

/** One thing wrong with the input: which field, and what it must be. */
export interface FieldError {
  field: string
  message: string
}

/** Extra members of the problem document (contract A, Errors; RFC 9457 section 3.2). */
export interface FailureExtras {
  errors?: FieldError[]
  /** Seconds. Also sent as `Retry-After`. */
  retry_after?: number
  required_tier?: Tier
  current_tier?: Tier
  required_capability?: string
  current_status?: string
  next_allowed_at?: string
  valid?: false
  /** What E4009 asks for first. */
  required?: 'passkey' | 'fresh_sign_in'
}

/** What the audit log of the duckling concerned learns of a refusal, and the outside does not. */
export interface Concern {
  ducklingId: string
  /** Kind of the refused event, where it is not the one the endpoint attempts. */
  event?: string
  /** For instance `{ cause: 'expired', key_id: 'KEY-…' }`. Never a secret. */
  metadata?: Record<string, string | number | null>
}

/** The only error that domain code throws on purpose. */
export class Failure extends Error {
  constructor(
    readonly failure: FailureName,
    readonly extras: FailureExtras = {},
    /** Whose audit log the refusal belongs to, where that is not the caller's; or that the command has recorded it. */
    readonly concern: Concern | 'recorded' | null = null,
  ) {
    super(failureTable[failure].detail)
    this.name = 'Failure'
  }
}

/** Makes the failure of that name: `throw fail('tier_too_low', { required_tier: 'T1' })`. */
export function fail(failure: FailureName, extras?: FailureExtras, concern?: Concern | 'recorded'): Failure {
  return new Failure(failure, extras, concern)
}
