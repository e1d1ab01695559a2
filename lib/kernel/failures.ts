/**
 * All failures in one table: public code and status (contract A), what happened, and what to do next. The name of a failure is public:
 * it is the `reason` of the problem document, so it is never renamed or removed (docs/versioning.md). Domain code throws
 * `context.fail('certificate_not_found')`. Only `lib/http/answer.ts` makes an answer from it.
 */
import type { Origin } from './origin'
import type { Tier } from './tier'

/** The public codes of spec section 7 and contract A. */
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
  E4013: { status: 422, title: 'Idempotency key used for another request' },
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
  malformed_http: {
    code: 'E4000',
    detail: 'The request could not be read as HTTP.',
    action: 'Send a well-formed HTTP/1.1 request.',
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
    detail: 'Your trust tier is too low for this request.',
    action:
      'Reach required_tier first: T1 with POST /beak/verify-email, T2 and T3 with PUT /beak/trust/elevate.',
  },
  target_tier_too_low: {
    code: 'E4002',
    detail: 'Only a duckling at tier T2 or higher can be asked for a standing permission.',
    action: 'Ask with scope limited or timed, or wait until the target reaches T2.',
  },
  identity_exists: {
    code: 'E4003',
    detail: 'This email address already has an identity.',
    action: 'Sign in instead, with POST /beak/signin/otp and POST /beak/signin.',
  },
  rate_limited: {
    code: 'E4004',
    detail: 'Too many requests.',
    action: 'Wait for the number of seconds in Retry-After, then send the request again.',
  },
  too_many_codes_sent: {
    code: 'E4004',
    detail: 'Too many codes were sent to this address.',
    action: 'Use the newest code, or wait for the number of seconds in Retry-After and ask for another code.',
  },
  too_many_wrong_codes: {
    code: 'E4004',
    detail: 'Too many wrong codes. The codes sent so far are no longer valid.',
    action: 'Ask for a new code and try again.',
  },
  code_paused: {
    code: 'E4004',
    detail: 'Too many wrong codes in a row. Codes are paused for this account.',
    action:
      'Wait for the number of seconds in Retry-After and ask for a new code, or sign in with a passkey.',
  },
  code_locked: {
    code: 'E4004',
    detail: 'Too many wrong codes in a row. Codes are switched off for this account for a day.',
    action:
      'Sign in with a passkey or from a device that has signed in before, or wait for the number of seconds in Retry-After.',
  },
  too_many_user_codes: {
    code: 'E4004',
    detail: 'Too many device codes were entered for this account today.',
    action: 'Wait for the number of seconds in Retry-After, then enter the code that your device shows.',
  },
  device_polled_too_early: {
    code: 'E4004',
    detail: 'The device asks too often. Each early request makes the interval 5 seconds longer.',
    action: 'Wait for the number of seconds in Retry-After, then ask again.',
  },
  too_many_text_messages: {
    code: 'E4004',
    detail: 'Too many text messages were requested today.',
    action: 'Wait for the number of seconds in Retry-After, then ask again.',
  },
  webhook_busy: {
    code: 'E4004',
    detail: 'This endpoint or account already has the maximum number of deliveries in progress.',
    action: 'Wait for the number of seconds in Retry-After, then send the test again.',
  },
  too_many_open_connections: {
    code: 'E4004',
    detail: 'This account already has 20 open long polls and event streams, which is the limit.',
    action: 'Close one of them, or wait for the number of seconds in Retry-After.',
  },
  name_change_throttled: {
    code: 'E4004',
    detail: 'The display name can be changed once every 30 days.',
    action: 'Wait until next_allowed_at.',
  },
  handle_change_throttled: {
    code: 'E4004',
    detail: 'A handle can be changed twice in 365 days.',
    action: 'Wait until next_allowed_at.',
  },
  peck_recently_rejected: {
    code: 'E4004',
    detail: 'This duckling rejected the same action from you or one of your agents less than an hour ago.',
    action:
      'Wait for the number of seconds in Retry-After before asking for the same action again. Another number or sign in its name makes no difference.',
  },
  too_many_pending_pecks: {
    code: 'E4004',
    detail: 'Too many requests from you and your agents to this duckling are still waiting for an answer.',
    action: 'Wait for answers, or cancel a request with POST /beak/peck/cancel.',
  },
  asker_paused: {
    code: 'E4004',
    detail:
      'This duckling rejected three or more requests from you and your agents within a day. All your requests to this duckling are paused, and each further rejection doubles the pause.',
    action: 'Wait for the number of seconds in Retry-After. The duckling can lift the pause earlier.',
  },
  too_many_pecks: {
    code: 'E4004',
    detail:
      'You and your agents have used up the requests that you may send to this duckling in a day. A cancelled request counts too.',
    action: 'Wait for the number of seconds in Retry-After before asking this duckling again.',
  },
  path_not_found: {
    code: 'E4005',
    detail: 'Not found.',
    action: 'Check the path against GET /beak/openapi.json.',
  },
  duckling_not_found: {
    code: 'E4005',
    detail: 'There is no such duckling.',
    action: 'Check the duckling_id or the handle.',
  },
  handle_not_found: {
    code: 'E4005',
    detail: 'There is no such handle.',
    action: 'Check the handle. Its owner may have changed it, or may not be listed in the directory.',
  },
  no_handle: {
    code: 'E4005',
    detail: 'You have no handle.',
    action: 'Choose one with POST /beak/handle/claim.',
  },
  certificate_not_found: {
    code: 'E4005',
    detail: 'There is no such certificate.',
    action: 'Check the cert_id, or issue a certificate with POST /beak/cert/issue.',
  },
  agent_not_found: {
    code: 'E4005',
    detail: 'You have no agent with this id.',
    action: 'Check the agent_id against GET /beak/agent/list.',
  },
  agent_not_registered: {
    code: 'E4005',
    detail: 'There is no such agent.',
    action: 'Check the agent_id. Do not trust an agent that is not registered here.',
  },
  asker_not_found: {
    code: 'E4005',
    detail: 'Nobody with this id has asked you.',
    action: 'Check the id against GET /beak/peck/askers.',
  },
  peck_not_found: {
    code: 'E4005',
    detail: 'You have no peck with this id.',
    action: 'Check the peck_id against GET /beak/peck/history.',
  },
  approver_not_found: {
    code: 'E4005',
    detail: 'Your account has no approver.',
    action: 'Set one with POST /beak/approver/enrol.',
  },
  passkey_not_found: {
    code: 'E4005',
    detail: 'You have no passkey with this id.',
    action: 'Check the passkey_id against GET /beak/passkey/list.',
  },
  session_not_found: {
    code: 'E4005',
    detail: 'You have no session or approved device with this id.',
    action:
      'Check the id against GET /beak/session/list. An approved device that has signed in is a session.',
  },
  webhook_not_found: {
    code: 'E4005',
    detail: 'You have no webhook endpoint or message with this id.',
    action: 'Check the ids against GET /beak/webhook/list and GET /beak/webhook/deliveries.',
  },
  duckling_not_blocked: {
    code: 'E4005',
    detail: 'You have not blocked this duckling.',
    action: 'Nothing needs to be done.',
  },
  receipt_not_shared: {
    code: 'E4005',
    detail: 'This receipt is not shared. The person who shared it may have stopped sharing it.',
    action: 'Ask the person who gave you the link to share the receipt again.',
  },
  checkpoint_not_found: {
    code: 'E4005',
    detail: 'The transparency log has no checkpoint yet.',
    action: 'Try again in ten seconds.',
  },
  tile_not_found: {
    code: 'E4005',
    detail: 'The transparency log has no such tile.',
    action: 'Request only tiles that exist at the size in /.well-known/tlog/checkpoint.',
  },
  log_entry_not_found: {
    code: 'E4005',
    detail: 'The transparency log has no entry for this event or passkey of yours.',
    action: 'Check seq or passkey_id. New events are logged within a minute: try again after that.',
  },
  status_list_not_found: {
    code: 'E4005',
    detail: 'There is no such status list.',
    action: 'Take the address from credentialStatus.statusListCredential of the certificate.',
  },
  link_invalid: {
    code: 'E4005',
    detail: 'This link has expired or was used.',
    action: 'Use the link in the newest mail, or sign in and open your security page.',
  },
  link_too_early: {
    code: 'E4008',
    detail: 'This link does not work yet.',
    action: 'Use it again at next_allowed_at.',
  },
  user_code_invalid: {
    code: 'E4005',
    detail: 'No device is waiting with this code. The code may have expired.',
    action: 'Check the code that the device shows, or start again on the device.',
  },
  recovery_not_pending: {
    code: 'E4005',
    detail: 'No removal of passkeys is pending.',
    action: 'Nothing needs to be done.',
  },
  undo_not_pending: {
    code: 'E4005',
    detail: 'No undo of a change of address is pending.',
    action: 'Nothing needs to be done.',
  },
  subscription_link_invalid: {
    code: 'E4005',
    detail: 'This link is no longer valid.',
    action: 'Subscribe again with POST /beak/newsletter/subscribe to get a new link.',
  },
  session_invalid: {
    code: 'E4006',
    detail: 'The session token is missing, invalid, expired or revoked.',
    action: 'Sign in again and send Authorization: Bearer <token>.',
  },
  device_code_invalid: {
    code: 'E4006',
    detail: 'The device code is not valid or was already used.',
    action: 'Start again with POST /beak/device/authorize.',
  },
  sign_in_failed: {
    code: 'E4006',
    detail: 'The email address or the code (or password) is not right, or the code has expired.',
    action: 'Check both, or ask for a new code with POST /beak/signin/otp.',
  },
  code_invalid: {
    code: 'E4006',
    detail: 'The code is not right or has expired.',
    action: 'Check the newest message, or ask for a new code.',
  },
  passkey_assertion_invalid: {
    code: 'E4006',
    detail: 'The passkey assertion is not valid, or its challenge has expired or was used.',
    action: 'Ask for new options and try again.',
  },
  handshake_token_invalid: {
    code: 'E4006',
    detail: 'The handshake token is invalid, expired or already used.',
    action: 'The owner of the agent can make a new one with POST /beak/agent/handshake.',
  },
  grant_token_invalid: {
    code: 'E4006',
    detail: 'The grant token is not valid or has expired.',
    action:
      'Get a new grant_token from GET /beak/peck/status, or ask for the permission again with POST /beak/peck/request.',
  },
  sso_token_invalid: {
    code: 'E4006',
    detail: 'The SSO token is invalid, expired or already used.',
    action: 'Issue a new one with POST /beak/sso/issue.',
  },
  sign_up_closed: {
    code: 'E4007',
    detail: 'Nobody can sign up here.',
    action: 'Ask whoever runs this service for an account, or sign in if you have one.',
  },
  sign_up_pass_invalid: {
    code: 'E4007',
    detail: 'You need a sign-up pass for this address that is not used or expired.',
    action:
      'Ask whoever runs this service for a pass, and send it as sign_up_pass with the address that it names.',
  },
  sign_up_domain_refused: {
    code: 'E4007',
    detail: 'Addresses of this domain cannot sign up here.',
    action: 'Use an address of your organisation, or ask whoever runs this service for a sign-up pass.',
  },
  address_unproved: {
    code: 'E4007',
    detail: 'This account can do nothing until its email address is confirmed.',
    action:
      'Send the mailed code to POST /beak/verify-email. POST /beak/verify-email/resend mails another one.',
  },
  account_suspended: {
    code: 'E4007',
    detail:
      'The host of this service has suspended this account. Nothing is deleted. Ask the host what to do.',
    action: 'Ask whoever runs this service, and try again when the account is resumed.',
  },
  agent_not_allowed: {
    code: 'E4007',
    detail: 'Agents are not allowed to do this.',
    action: 'Its operator can do this with a session token.',
  },
  agent_not_bonded: {
    code: 'E4007',
    detail: 'This agent is not bonded, or it is suspended.',
    action:
      'Bond the agent with POST /beak/agent/bond. If it is suspended, its operator can resume it with POST /beak/agent/resume.',
  },
  capability_missing: {
    code: 'E4007',
    detail: 'This agent does not have the capability for this.',
    action: 'Its operator can register another agent with the capability in required_capability.',
  },
  not_the_target: {
    code: 'E4007',
    detail: 'Only the target of this peck can decide it.',
    action: 'Wait for the answer, or cancel the peck with POST /beak/peck/cancel.',
  },
  not_the_asker: {
    code: 'E4007',
    detail: 'Only the asker of this peck can do this.',
    action: 'Send the request with the credentials of the asker.',
  },
  receipt_kept_private: {
    code: 'E4007',
    detail: 'The target of this peck ended the sharing of its receipt, or closed the account.',
    action: 'Download the receipt with GET /beak/peck/outcome, and show it only to those who must check it.',
  },
  grant_mismatch: {
    code: 'E4007',
    detail: 'This grant does not cover this request.',
    action: 'Use a grant that was given to you, with the same action and the same params that were approved.',
  },
  grant_audience_mismatch: {
    code: 'E4007',
    detail: 'This permission is meant for another service.',
    action: 'Ask for a permission that names this service as its audience.',
  },
  sso_token_mismatch: {
    code: 'E4007',
    detail: 'You cannot bridge this SSO token, or not to this target.',
    action: 'Bridge your own token to the target_domain that it was issued for.',
  },
  cross_origin_request: {
    code: 'E4007',
    detail: 'This request does not come from a page of this service, or the page is too old.',
    action: 'Reload the page and try again.',
  },
  device_pending: {
    code: 'E4008',
    detail: 'Nobody has approved or denied this device yet.',
    action: 'Wait for the number of seconds in Retry-After, then ask again.',
  },
  device_denied: {
    code: 'E4008',
    detail: 'This device was denied.',
    action: 'Do not ask again, unless the person at the device wants to: POST /beak/device/authorize.',
  },
  device_expired: {
    code: 'E4008',
    detail: 'Nobody approved this device in time, or the approval was withdrawn.',
    action: 'Start again with POST /beak/device/authorize.',
  },
  device_already_decided: {
    code: 'E4008',
    detail: 'You have already decided about this device.',
    action: 'See current_status, and GET /beak/session/list for a session that you want to end.',
  },
  email_already_verified: {
    code: 'E4008',
    detail: 'The email address is already verified.',
    action: 'Nothing needs to be done.',
  },
  tier_already_reached: {
    code: 'E4008',
    detail: 'You have already reached this tier.',
    action: 'See trust_tier at GET /beak/profile.',
  },
  handle_taken: {
    code: 'E4008',
    detail:
      'This handle, or one that looks like it, belongs to somebody else or was released less than a year ago.',
    action: 'Choose another handle.',
  },
  certificate_already_active: {
    code: 'E4008',
    detail: 'You already have an active certificate at this tier.',
    action: 'See it at GET /beak/cert/view.',
  },
  agent_status_conflict: {
    code: 'E4008',
    detail: 'The current status of the agent does not allow this.',
    action: 'See current_status and GET /beak/agent/list.',
  },
  too_many_agents: {
    code: 'E4008',
    detail: 'You already have 25 registered agents, which is the limit.',
    action: 'Deregister an agent that you no longer need with POST /beak/agent/deregister.',
  },
  peck_not_pending: {
    code: 'E4008',
    detail: 'This peck is no longer pending.',
    action: 'See current_status. If needed, ask again with POST /beak/peck/request.',
  },
  nothing_to_undo: {
    code: 'E4008',
    detail: 'This peck has no rejection that can be undone.',
    action: 'Nothing needs to be done: the peck waits for your answer.',
  },
  peck_not_approved: {
    code: 'E4008',
    detail: 'This peck has not been approved, so there is no receipt.',
    action: 'See current_status. Wait for the answer with GET /beak/peck/status.',
  },
  peck_undecided: {
    code: 'E4008',
    detail: 'This peck is still pending, so there is no receipt yet.',
    action: 'Wait for the answer with GET /beak/peck/status.',
  },
  grant_not_active: {
    code: 'E4008',
    detail: 'This grant is not active.',
    action: 'See current_status. If needed, ask again with POST /beak/peck/request.',
  },
  passkey_already_registered: {
    code: 'E4008',
    detail: 'This passkey is already registered.',
    action: 'Use another authenticator, or sign in with this one.',
  },
  approver_already_set: {
    code: 'E4008',
    detail: 'Your account has an approver already.',
    action: 'Remove it with POST /beak/approver/remove, and set another one after the day of waiting.',
  },
  no_older_passkey: {
    code: 'E4008',
    detail: 'None of your passkeys is older than this one, so none can vouch for it.',
    action: 'See your passkeys with GET /beak/passkey/list. Only an older one can vouch for a newer one.',
  },
  no_passkey_registered: {
    code: 'E4008',
    detail: 'You have no passkey yet.',
    action:
      'Add one with POST /beak/passkey/register and POST /beak/passkey/register/verify, then try again.',
  },
  too_many_passkeys: {
    code: 'E4008',
    detail: 'You already have 20 passkeys, which is the limit.',
    action: 'Remove a passkey that you no longer use with POST /beak/passkey/remove.',
  },
  too_many_webhooks: {
    code: 'E4008',
    detail: 'You already have 20 webhook endpoints, which is the limit.',
    action: 'Delete an endpoint that you no longer need with POST /beak/webhook/delete.',
  },
  webhook_disabled: {
    code: 'E4008',
    detail: 'This webhook endpoint is disabled.',
    action: 'Enable it with POST /beak/webhook/update.',
  },
  idempotency_key_busy: {
    code: 'E4008',
    detail: 'A request with this Idempotency-Key is still running.',
    action: 'Wait for the number of seconds in Retry-After, then send the same request again.',
  },
  answer_not_stored: {
    code: 'E4008',
    detail: 'A request with this Idempotency-Key was carried out. Its answer was too large to be stored.',
    action: 'Do not send it again. Read the current state instead.',
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
  fresh_passkey_needed: {
    code: 'E4009',
    detail: 'This needs a confirmation with your passkey in the last 10 minutes.',
    action:
      'Get a challenge from POST /beak/passkey/challenge with purpose confirm, send the assertion to POST /beak/passkey/confirm, then repeat the request.',
  },
  older_passkey_needed: {
    code: 'E4009',
    detail: 'This needs a passkey that you had a day before your address was changed.',
    action: 'Confirm with an older passkey, then repeat the request.',
  },
  passkey_assertion_needed: {
    code: 'E4009',
    detail: 'This request must be confirmed with a passkey.',
    action: 'Get a challenge from POST /beak/passkey/challenge and send the assertion in the field passkey.',
  },
  approver_needed: {
    code: 'E4009',
    detail: 'Only your approver can approve this request.',
    action:
      'Get a challenge from POST /beak/passkey/challenge with approver, and let the approver sign it on its own site (/docs/approver).',
  },
  decision_page_needed: {
    code: 'E4009',
    detail: 'A device that you allowed may approve only low risks.',
    action: 'Open the page of the request in a browser, sign in and decide there.',
  },
  method_not_allowed: {
    code: 'E4010',
    detail: 'This path does not support this method.',
    action: 'Use a method from the Allow header.',
  },
  body_too_large: {
    code: 'E4011',
    detail: 'The body is larger than 64 KiB.',
    action: 'Send a smaller body.',
  },
  unsupported_media_type: {
    code: 'E4012',
    detail: 'The body must be uncompressed JSON in UTF-8.',
    action: 'Send Content-Type: application/json.',
  },
  idempotency_key_reused: {
    code: 'E4013',
    detail: 'This Idempotency-Key was used for another request.',
    action:
      'Make a new key for each request, such as a random UUID, and use it again only to repeat that request.',
  },
  internal_error: {
    code: 'E5001',
    detail: 'Something went wrong on our side.',
    action: 'Retry with exponential backoff. If the error persists, report the request_id.',
  },
  unavailable: {
    code: 'E5002',
    detail: 'The service cannot handle this request right now.',
    action: 'Retry after the number of seconds in Retry-After.',
  },
  worker_stopped: {
    code: 'E5002',
    detail: 'The worker of this instance has stopped, so it sends no messages.',
    action: 'Send requests to another instance, and restart this one.',
  },
} satisfies Record<string, Outcome>

export type FailureName = keyof typeof outcomes
export const failureTable: Record<FailureName, Outcome> = outcomes
export const failureNames = Object.keys(outcomes) as [FailureName, ...FailureName[]]

/** A fault of the input. `message` says what the field must be. */
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
  /** What E4009 requires first. */
  required?: 'passkey' | 'fresh_sign_in' | 'approver'
}

/** A refusal that is recorded in its own way: already, by the command, or by this function once the answer is decided. */
export type OwnRecord = 'recorded' | ((origin: Origin) => void)

/** What a refusal adds to the audit log of the duckling concerned. The response does not show it. */
export interface Concern {
  ducklingId: string
  /** Kind of the refused event, when it differs from the event of the endpoint. */
  event?: string
  /** For instance `{ cause: 'expired', key_id: 'KEY-…' }`. Never a secret. */
  metadata?: Record<string, string | number | null>
}

/** The only error that domain code throws on purpose. */
export class Failure extends Error {
  constructor(
    readonly failure: FailureName,
    readonly extras: FailureExtras = {},
    /** The audit log that records the refusal, when it is not the log of the caller. `recorded`: the command has done it. */
    readonly concern: Concern | OwnRecord | null = null,
  ) {
    // Where an expected outcome was thrown tells nothing, and collecting the stack takes longer than the rest of a refusal.
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(failureTable[failure].detail)
    Error.stackTraceLimit = stackTraceLimit
    this.name = 'Failure'
  }
}

/** Makes a failure: `throw fail('tier_too_low', { required_tier: 'T1' })`. */
export function fail(failure: FailureName, extras?: FailureExtras, concern?: Concern | OwnRecord): Failure {
  return new Failure(failure, extras, concern)
}
