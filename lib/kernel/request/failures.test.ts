import { describe, expect, it } from 'vitest'
import { failureNames, failureTable } from './failures'

/** Programs decide by these names, so none may be renamed or removed (docs/versioning.md). Add new names here. */
const published = `
  invalid_request malformed_http peck_to_self
  beak_key_invalid
  tier_too_low target_tier_too_low
  identity_exists
  rate_limited too_many_codes_sent too_many_wrong_codes code_paused code_locked too_many_user_codes device_polled_too_early
  too_many_text_messages webhook_busy too_many_open_connections name_change_throttled peck_recently_rejected too_many_pending_pecks
  asker_paused too_many_pecks
  handle_change_throttled handle_not_found no_handle handle_taken
  path_not_found duckling_not_found certificate_not_found agent_not_found agent_not_registered asker_not_found peck_not_found passkey_not_found
  session_not_found channel_not_found webhook_not_found site_not_found duckling_not_blocked receipt_not_shared checkpoint_not_found tile_not_found
  log_entry_not_found status_list_not_found link_invalid user_code_invalid recovery_not_pending subscription_link_invalid
  session_invalid device_code_invalid sign_in_failed code_invalid passkey_assertion_invalid handshake_token_invalid
  grant_token_invalid sso_token_invalid
  agent_not_allowed agent_not_bonded capability_missing asks_owner_only not_the_target not_the_asker receipt_kept_private grant_mismatch grant_audience_mismatch
  sso_token_mismatch sign_up_closed sign_up_pass_invalid sign_up_domain_refused address_unproved account_suspended link_too_early cross_origin_request
  device_pending device_denied device_expired device_already_decided email_already_verified tier_already_reached
  certificate_already_active agent_status_conflict too_many_agents peck_not_pending peck_not_approved peck_undecided
  paused grant_not_active passkey_already_registered no_passkey_registered too_many_passkeys too_many_channels too_many_webhooks too_many_sites webhook_disabled
  invitation_not_found invitation_mismatch invitation_revoked invitation_used_up invitation_expired too_many_invitations
  rule_not_found rule_ended rule_changed too_many_rules
  consent_not_found consent_decided agent_connected agent_not_connected
  no_name_to_take_back idempotency_key_busy answer_not_stored
  fresh_sign_in_needed fresh_code_needed fresh_passkey_needed passkey_assertion_needed decision_page_needed undo_not_pending nothing_to_undo older_passkey_needed
  approver_not_found approver_already_set approver_needed no_older_passkey session_by_passkey
  method_not_allowed body_too_large unsupported_media_type idempotency_key_reused internal_error unavailable worker_stopped
`
  .trim()
  .split(/\s+/)

describe('the names of failures', () => {
  it('keep every published name', () => {
    expect(published.filter((name) => !(failureNames as string[]).includes(name))).toEqual([])
  })

  it('are all published', () => {
    expect(failureNames.filter((name) => !published.includes(name))).toEqual([])
  })

  it('are lower-case words with underscores', () => {
    expect(failureNames.filter((name) => !/^[a-z]+(_[a-z]+)*$/.test(name))).toEqual([])
  })

  it('tell nothing that the text does not tell: every failure has a text of its own', () => {
    const texts = Object.values(failureTable).map(({ detail }) => detail)
    expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([])
  })
})
