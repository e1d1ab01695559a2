/**
 * All failures in one table: public code and status, what happened, and what to do next. The name of a failure is public:
 * it is the `reason` of the problem document, so it is never renamed or removed (docs/versioning.md). Domain code throws
 * `context.fail('certificate_not_found')`. Only `lib/http/answer.ts` makes an answer from it.
 */
import { m } from '@/lib/kernel/messages'
import type { Origin } from './origin'
import type { Tier } from './tier'

/** The public codes of spec section 7 and of the contract. */
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

/** The texts are sentences of the tables. */
interface OutcomeSource {
  code: ErrorCode
  detail: () => string
  action: () => string
}

const outcomes = {
  invalid_request: {
    code: 'E4000',
    detail: m.failure_invalid_request,
    action: m.failure_invalid_request_action,
  },
  malformed_http: {
    code: 'E4000',
    detail: m.failure_malformed_http,
    action: m.failure_malformed_http_action,
  },
  peck_to_self: { code: 'E4000', detail: m.failure_peck_to_self, action: m.failure_peck_to_self_action },
  beak_key_invalid: {
    code: 'E4001',
    detail: m.failure_key_not_accepted,
    action: m.failure_beak_key_invalid_action,
  },
  tier_too_low: { code: 'E4002', detail: m.failure_tier_insufficient, action: m.failure_tier_too_low_action },
  target_tier_too_low: {
    code: 'E4002',
    detail: m.failure_target_tier_too_low,
    action: m.failure_target_tier_too_low_action,
  },
  identity_exists: {
    code: 'E4003',
    detail: m.failure_identity_exists,
    action: m.failure_identity_exists_action,
  },
  rate_limited: { code: 'E4004', detail: m.failure_rate_limited, action: m.failure_rate_limited_action },
  too_many_codes_sent: {
    code: 'E4004',
    detail: m.failure_code_mail_limit,
    action: m.failure_too_many_codes_sent_action,
  },
  too_many_wrong_codes: {
    code: 'E4004',
    detail: m.failure_code_attempts_exceeded,
    action: m.failure_too_many_wrong_codes_action,
  },
  code_paused: { code: 'E4004', detail: m.failure_code_paused, action: m.failure_code_paused_action },
  code_locked: { code: 'E4004', detail: m.failure_code_locked, action: m.failure_code_locked_action },
  too_many_user_codes: {
    code: 'E4004',
    detail: m.failure_too_many_user_codes,
    action: m.failure_too_many_user_codes_action,
  },
  device_polled_too_early: {
    code: 'E4004',
    detail: m.failure_device_polled_too_early,
    action: m.failure_device_pending_action,
  },
  too_many_text_messages: {
    code: 'E4004',
    detail: m.failure_text_message_limit,
    action: m.failure_device_pending_action,
  },
  webhook_busy: { code: 'E4004', detail: m.failure_webhook_busy, action: m.failure_webhook_busy_action },
  too_many_open_connections: {
    code: 'E4004',
    detail: m.failure_too_many_open_connections,
    action: m.failure_too_many_open_connections_action,
  },
  name_change_throttled: {
    code: 'E4004',
    detail: m.failure_name_change_throttled,
    action: m.failure_handle_change_throttled_action,
  },
  handle_change_throttled: {
    code: 'E4004',
    detail: m.failure_handle_change_throttled,
    action: m.failure_handle_change_throttled_action,
  },
  peck_recently_rejected: {
    code: 'E4004',
    detail: m.failure_peck_recently_rejected,
    action: m.failure_peck_recently_rejected_action,
  },
  too_many_pending_pecks: {
    code: 'E4004',
    detail: m.failure_too_many_pending_pecks,
    action: m.failure_too_many_pending_pecks_action,
  },
  asker_paused: { code: 'E4004', detail: m.failure_asker_paused, action: m.failure_asker_paused_action },
  too_many_pecks: {
    code: 'E4004',
    detail: m.failure_too_many_pecks,
    action: m.failure_too_many_pecks_action,
  },
  path_not_found: {
    code: 'E4005',
    detail: m.failure_path_not_found,
    action: m.failure_path_not_found_action,
  },
  duckling_not_found: {
    code: 'E4005',
    detail: m.failure_duckling_not_found,
    action: m.failure_duckling_not_found_action,
  },
  handle_not_found: {
    code: 'E4005',
    detail: m.failure_handle_not_found,
    action: m.failure_handle_not_found_action,
  },
  no_handle: { code: 'E4005', detail: m.failure_no_handle, action: m.failure_no_handle_action },
  certificate_not_found: {
    code: 'E4005',
    detail: m.failure_certificate_not_found,
    action: m.failure_certificate_not_found_action,
  },
  agent_not_found: {
    code: 'E4005',
    detail: m.failure_agent_not_found,
    action: m.failure_agent_not_found_action,
  },
  agent_not_registered: {
    code: 'E4005',
    detail: m.failure_agent_not_registered,
    action: m.failure_agent_not_registered_action,
  },
  asker_not_found: {
    code: 'E4005',
    detail: m.failure_asker_not_found,
    action: m.failure_asker_not_found_action,
  },
  peck_not_found: {
    code: 'E4005',
    detail: m.failure_peck_not_found,
    action: m.failure_peck_not_found_action,
  },
  approver_not_found: {
    code: 'E4005',
    detail: m.failure_approver_not_found,
    action: m.failure_approver_not_found_action,
  },
  passkey_not_found: {
    code: 'E4005',
    detail: m.failure_passkey_not_found,
    action: m.failure_passkey_not_found_action,
  },
  session_not_found: {
    code: 'E4005',
    detail: m.failure_session_not_found,
    action: m.failure_session_not_found_action,
  },
  channel_not_found: {
    code: 'E4005',
    detail: m.failure_channel_not_found,
    action: m.failure_channel_not_found_action,
  },
  site_not_found: {
    code: 'E4005',
    detail: m.failure_site_not_found,
    action: m.failure_site_not_found_action,
  },
  webhook_not_found: {
    code: 'E4005',
    detail: m.failure_webhook_not_found,
    action: m.failure_webhook_not_found_action,
  },
  duckling_not_blocked: {
    code: 'E4005',
    detail: m.failure_duckling_not_blocked,
    action: m.failure_duckling_not_blocked_action,
  },
  receipt_not_shared: {
    code: 'E4005',
    detail: m.failure_receipt_private,
    action: m.failure_receipt_not_shared_action,
  },
  rule_not_found: {
    code: 'E4005',
    detail: m.failure_rule_not_found,
    action: m.failure_rule_not_found_action,
  },
  invitation_not_found: {
    code: 'E4005',
    detail: m.failure_invitation_not_found,
    action: m.failure_invitation_not_found_action,
  },
  checkpoint_not_found: {
    code: 'E4005',
    detail: m.failure_checkpoint_not_found,
    action: m.failure_checkpoint_not_found_action,
  },
  tile_not_found: {
    code: 'E4005',
    detail: m.failure_tile_not_found,
    action: m.failure_tile_not_found_action,
  },
  log_entry_not_found: {
    code: 'E4005',
    detail: m.failure_log_entry_not_found,
    action: m.failure_log_entry_not_found_action,
  },
  status_list_not_found: {
    code: 'E4005',
    detail: m.failure_status_list_not_found,
    action: m.failure_status_list_not_found_action,
  },
  link_invalid: { code: 'E4005', detail: m.failure_link_invalid, action: m.failure_link_invalid_action },
  session_by_passkey: {
    code: 'E4009',
    detail: m.failure_session_by_passkey,
    action: m.failure_session_by_passkey_action,
  },
  link_too_early: {
    code: 'E4008',
    detail: m.failure_link_too_early,
    action: m.failure_link_too_early_action,
  },
  consent_not_found: {
    code: 'E4005',
    detail: m.failure_consent_not_found,
    action: m.failure_consent_again_action,
  },
  user_code_invalid: {
    code: 'E4005',
    detail: m.failure_user_code_invalid,
    action: m.failure_user_code_invalid_action,
  },
  recovery_not_pending: {
    code: 'E4005',
    detail: m.failure_recovery_not_pending,
    action: m.failure_duckling_not_blocked_action,
  },
  undo_not_pending: {
    code: 'E4005',
    detail: m.failure_undo_not_pending,
    action: m.failure_duckling_not_blocked_action,
  },
  subscription_link_invalid: {
    code: 'E4005',
    detail: m.failure_subscription_link_invalid,
    action: m.failure_subscription_link_invalid_action,
  },
  session_invalid: {
    code: 'E4006',
    detail: m.failure_session_invalid,
    action: m.failure_session_invalid_action,
  },
  device_code_invalid: {
    code: 'E4006',
    detail: m.failure_device_code_invalid,
    action: m.failure_device_code_invalid_action,
  },
  sign_in_failed: {
    code: 'E4006',
    detail: m.failure_sign_in_failed,
    action: m.failure_sign_in_failed_action,
  },
  code_invalid: { code: 'E4006', detail: m.failure_code_invalid, action: m.failure_code_invalid_action },
  passkey_assertion_invalid: {
    code: 'E4006',
    detail: m.failure_passkey_assertion_invalid,
    action: m.failure_passkey_assertion_invalid_action,
  },
  handshake_token_invalid: {
    code: 'E4006',
    detail: m.failure_handshake_not_accepted,
    action: m.failure_handshake_token_invalid_action,
  },
  grant_token_invalid: {
    code: 'E4006',
    detail: m.failure_grant_token_invalid,
    action: m.failure_grant_token_invalid_action,
  },
  sso_token_invalid: {
    code: 'E4006',
    detail: m.failure_sso_token_refused,
    action: m.failure_sso_token_invalid_action,
  },
  sign_up_closed: {
    code: 'E4007',
    detail: m.failure_sign_up_closed,
    action: m.failure_sign_up_closed_action,
  },
  sign_up_pass_invalid: {
    code: 'E4007',
    detail: m.failure_sign_up_pass_invalid,
    action: m.failure_sign_up_pass_invalid_action,
  },
  sign_up_domain_refused: {
    code: 'E4007',
    detail: m.failure_sign_up_domain_refused,
    action: m.failure_sign_up_domain_refused_action,
  },
  address_unproved: {
    code: 'E4007',
    detail: m.failure_address_unproved,
    action: m.failure_address_unproved_action,
  },
  account_suspended: {
    code: 'E4007',
    detail: m.failure_account_suspended,
    action: m.failure_account_suspended_action,
  },
  invitation_mismatch: {
    code: 'E4007',
    detail: m.failure_invitation_mismatch,
    action: m.failure_invitation_mismatch_action,
  },
  agent_not_allowed: {
    code: 'E4007',
    detail: m.failure_agent_not_allowed,
    action: m.failure_agent_not_allowed_action,
  },
  agent_not_bonded: {
    code: 'E4007',
    detail: m.failure_agent_inactive,
    action: m.failure_agent_not_bonded_action,
  },
  capability_missing: {
    code: 'E4007',
    detail: m.failure_capability_missing,
    action: m.failure_capability_missing_action,
  },
  asks_owner_only: {
    code: 'E4007',
    detail: m.failure_asks_owner_only,
    action: m.failure_asks_owner_only_action,
  },
  not_the_target: {
    code: 'E4007',
    detail: m.failure_not_the_target,
    action: m.failure_not_the_target_action,
  },
  not_the_asker: { code: 'E4007', detail: m.failure_not_the_asker, action: m.failure_not_the_asker_action },
  receipt_kept_private: {
    code: 'E4007',
    detail: m.failure_receipt_kept_private,
    action: m.failure_receipt_kept_private_action,
  },
  grant_mismatch: {
    code: 'E4007',
    detail: m.failure_grant_mismatch,
    action: m.failure_grant_mismatch_action,
  },
  grant_audience_mismatch: {
    code: 'E4007',
    detail: m.failure_grant_audience_mismatch,
    action: m.failure_grant_audience_mismatch_action,
  },
  sso_token_mismatch: {
    code: 'E4007',
    detail: m.failure_sso_token_mismatch,
    action: m.failure_sso_token_mismatch_action,
  },
  cross_origin_request: {
    code: 'E4007',
    detail: m.failure_cross_origin_request,
    action: m.failure_cross_origin_request_action,
  },
  device_pending: {
    code: 'E4008',
    detail: m.failure_device_pending,
    action: m.failure_device_pending_action,
  },
  device_denied: { code: 'E4008', detail: m.failure_device_denied, action: m.failure_device_denied_action },
  device_expired: {
    code: 'E4008',
    detail: m.failure_device_expired,
    action: m.failure_device_code_invalid_action,
  },
  agent_not_connected: {
    code: 'E4008',
    detail: m.failure_agent_not_connected,
    action: m.failure_agent_not_connected_action,
  },
  agent_connected: {
    code: 'E4008',
    detail: m.failure_agent_connected,
    action: m.failure_agent_connected_action,
  },
  consent_decided: {
    code: 'E4008',
    detail: m.failure_consent_decided,
    action: m.failure_consent_again_action,
  },
  device_already_decided: {
    code: 'E4008',
    detail: m.failure_device_already_decided,
    action: m.failure_device_already_decided_action,
  },
  email_already_verified: {
    code: 'E4008',
    detail: m.failure_email_already_verified,
    action: m.failure_duckling_not_blocked_action,
  },
  tier_already_reached: {
    code: 'E4008',
    detail: m.failure_tier_already_reached,
    action: m.failure_tier_already_reached_action,
  },
  handle_taken: { code: 'E4008', detail: m.failure_handle_taken, action: m.failure_handle_taken_action },
  certificate_already_active: {
    code: 'E4008',
    detail: m.failure_certificate_already_active,
    action: m.failure_certificate_already_active_action,
  },
  agent_status_conflict: {
    code: 'E4008',
    detail: m.failure_agent_status_conflict,
    action: m.failure_agent_status_conflict_action,
  },
  too_many_agents: {
    code: 'E4008',
    detail: m.failure_too_many_agents,
    action: m.failure_too_many_agents_action,
  },
  peck_not_pending: {
    code: 'E4008',
    detail: m.failure_peck_not_pending,
    action: m.failure_grant_not_active_action,
  },
  no_name_to_take_back: {
    code: 'E4008',
    detail: m.failure_no_name_to_take_back,
    action: m.failure_no_name_to_take_back_action,
  },
  nothing_to_undo: {
    code: 'E4008',
    detail: m.failure_nothing_to_undo,
    action: m.failure_nothing_to_undo_action,
  },
  peck_not_approved: {
    code: 'E4008',
    detail: m.failure_receipt_before_approval,
    action: m.failure_peck_not_approved_action,
  },
  peck_undecided: {
    code: 'E4008',
    detail: m.failure_peck_undecided,
    action: m.failure_peck_undecided_action,
  },
  paused: {
    code: 'E4008',
    detail: m.failure_paused,
    action: m.failure_paused_action,
  },
  grant_not_active: {
    code: 'E4008',
    detail: m.failure_grant_not_active,
    action: m.failure_grant_not_active_action,
  },
  passkey_already_registered: {
    code: 'E4008',
    detail: m.failure_passkey_already_registered,
    action: m.failure_passkey_already_registered_action,
  },
  approver_already_set: {
    code: 'E4008',
    detail: m.failure_approver_already_set,
    action: m.failure_approver_already_set_action,
  },
  no_older_passkey: {
    code: 'E4008',
    detail: m.failure_no_older_passkey,
    action: m.failure_no_older_passkey_action,
  },
  no_passkey_registered: {
    code: 'E4008',
    detail: m.failure_no_passkey_registered,
    action: m.failure_no_passkey_registered_action,
  },
  too_many_passkeys: {
    code: 'E4008',
    detail: m.failure_too_many_passkeys,
    action: m.failure_too_many_passkeys_action,
  },
  too_many_channels: {
    code: 'E4008',
    detail: m.failure_too_many_channels,
    action: m.failure_too_many_channels_action,
  },
  too_many_sites: {
    code: 'E4008',
    detail: m.failure_too_many_sites,
    action: m.failure_too_many_sites_action,
  },
  too_many_webhooks: {
    code: 'E4008',
    detail: m.failure_too_many_webhooks,
    action: m.failure_too_many_webhooks_action,
  },
  invitation_revoked: {
    code: 'E4008',
    detail: m.failure_invitation_revoked,
    action: m.failure_invitation_expired_action,
  },
  invitation_used_up: {
    code: 'E4008',
    detail: m.failure_invitation_used_up,
    action: m.failure_invitation_expired_action,
  },
  invitation_expired: {
    code: 'E4008',
    detail: m.failure_invitation_expired,
    action: m.failure_invitation_expired_action,
  },
  rule_ended: {
    code: 'E4008',
    detail: m.failure_rule_ended,
    action: m.failure_rule_ended_action,
  },
  rule_changed: {
    code: 'E4008',
    detail: m.failure_rule_changed,
    action: m.failure_rule_changed_action,
  },
  too_many_rules: {
    code: 'E4008',
    detail: m.failure_too_many_rules,
    action: m.failure_too_many_rules_action,
  },
  too_many_invitations: {
    code: 'E4008',
    detail: m.failure_too_many_invitations,
    action: m.failure_too_many_invitations_action,
  },
  webhook_disabled: {
    code: 'E4008',
    detail: m.failure_webhook_disabled,
    action: m.failure_webhook_disabled_action,
  },
  idempotency_key_busy: {
    code: 'E4008',
    detail: m.failure_idempotency_key_busy,
    action: m.failure_idempotency_key_busy_action,
  },
  answer_not_stored: {
    code: 'E4008',
    detail: m.failure_answer_not_stored,
    action: m.failure_answer_not_stored_action,
  },
  fresh_sign_in_needed: {
    code: 'E4009',
    detail: m.failure_fresh_sign_in_needed,
    action: m.failure_fresh_sign_in_needed_action,
  },
  fresh_code_needed: {
    code: 'E4009',
    detail: m.failure_fresh_code_needed,
    action: m.failure_fresh_code_needed_action,
  },
  fresh_passkey_needed: {
    code: 'E4009',
    detail: m.failure_fresh_passkey_needed,
    action: m.failure_fresh_passkey_needed_action,
  },
  older_passkey_needed: {
    code: 'E4009',
    detail: m.failure_older_passkey_needed,
    action: m.failure_older_passkey_needed_action,
  },
  passkey_assertion_needed: {
    code: 'E4009',
    detail: m.failure_passkey_assertion_needed,
    action: m.failure_passkey_assertion_needed_action,
  },
  approver_needed: {
    code: 'E4009',
    detail: m.failure_approver_needed,
    action: m.failure_approver_needed_action,
  },
  decision_page_needed: {
    code: 'E4009',
    detail: m.failure_decision_page_needed,
    action: m.failure_decision_page_needed_action,
  },
  method_not_allowed: {
    code: 'E4010',
    detail: m.failure_method_not_allowed,
    action: m.failure_method_not_allowed_action,
  },
  body_too_large: {
    code: 'E4011',
    detail: m.failure_body_too_large,
    action: m.failure_body_too_large_action,
  },
  unsupported_media_type: {
    code: 'E4012',
    detail: m.failure_unsupported_media_type,
    action: m.failure_unsupported_media_type_action,
  },
  idempotency_key_reused: {
    code: 'E4013',
    detail: m.failure_idempotency_key_reused,
    action: m.failure_idempotency_key_reused_action,
  },
  internal_error: {
    code: 'E5001',
    detail: m.failure_internal_error,
    action: m.failure_internal_error_action,
  },
  unavailable: { code: 'E5002', detail: m.failure_unavailable, action: m.failure_unavailable_action },
  worker_stopped: {
    code: 'E5002',
    detail: m.failure_worker_stopped,
    action: m.failure_worker_stopped_action,
  },
} satisfies Record<string, OutcomeSource>

export type FailureName = keyof typeof outcomes

/** The texts are in the language of the page that asks, and in English for every other caller. */
export const failureTable = Object.fromEntries(
  Object.entries(outcomes).map(([name, source]) => [name, outcomeOf(source)]),
) as Record<FailureName, Outcome>

export const failureNames = Object.keys(outcomes) as [FailureName, ...FailureName[]]

function outcomeOf({ code, detail, action }: OutcomeSource): Outcome {
  return {
    code,
    get detail() {
      return detail()
    },
    get action() {
      return action()
    },
  }
}

/** A fault of the input. `message` says what the field must be. */
export interface FieldError {
  field: string
  message: string
}

/** Extra members of the problem document (contract A, Errors; RFC 9457 section 3.2). */
export interface FailureExtras {
  /** Say more about this case than the texts of the table. */
  detail?: string
  action?: string
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
