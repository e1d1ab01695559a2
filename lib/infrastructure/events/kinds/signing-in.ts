import { m } from '@/lib/kernel/messages'
import { type Kinds, message } from './kind'
import { ApproverEventData, exampleApprover, exampleRecovery, RecoveryEventData } from './trust'

export const signingInEvents = {
  'site.allowed': {
    label: m.events_site_allowed_label,
    did: m.events_site_allowed_did,
    tried: m.events_site_allowed_tried,
  },
  'site.refused': {
    label: m.events_site_refused_label,
    did: m.events_site_refused_did,
    tried: m.events_site_refused_tried,
  },
  'site.signed_in': {
    label: m.events_site_signed_in_label,
    did: m.events_site_signed_in_did,
  },
  'site.revoked': {
    label: m.events_site_revoked_label,
    did: m.events_site_revoked_did,
    tried: m.events_site_revoked_tried,
  },
  'site.registered': {
    label: m.events_site_registered_label,
    did: m.events_site_registered_did,
    tried: m.events_site_registered_tried,
  },
  'site.updated': {
    label: m.events_site_updated_label,
    did: m.events_site_updated_did,
    tried: m.events_site_updated_tried,
  },
  'site.deleted': {
    label: m.events_site_deleted_label,
    did: m.events_site_deleted_did,
    tried: m.events_site_deleted_tried,
  },
  'code.requested': {
    label: m.events_code_requested_label,
    did: m.events_code_requested_did,
    tried: m.events_code_requested_tried,
  },
  'code.sent': { label: m.events_code_sent_label, did: m.events_code_sent_did },
  'session.started': {
    label: m.events_session_started_label,
    did: m.events_session_started_did,
    tried: m.events_session_started_tried,
  },
  'session.device_approved': {
    label: m.events_session_device_approved_label,
    did: m.events_session_device_approved_did,
    tried: m.events_session_device_approved_tried,
  },
  'session.device_denied': {
    label: m.events_session_device_denied_label,
    did: m.events_session_device_denied_did,
    tried: m.events_session_device_denied_tried,
  },
  'session.device_withdrawn': {
    label: m.events_session_device_withdrawn_label,
    did: m.events_session_device_withdrawn_did,
  },
  'session.ended': {
    label: m.events_session_ended_label,
    did: m.events_session_ended_did,
    tried: m.events_session_ended_tried,
  },
  'session.revoked': {
    label: m.events_session_revoked_label,
    did: m.events_session_revoked_did,
    tried: m.events_session_revoked_tried,
  },
  'passkey.challenged': {
    label: m.events_passkey_challenged_label,
    did: m.events_passkey_challenged_did,
    tried: m.events_passkey_challenged_tried,
  },
  'passkey.registered': {
    label: m.events_passkey_registered_label,
    did: m.events_passkey_registered_did,
    tried: m.events_passkey_registered_tried,
  },
  'passkey.endorsed': {
    label: m.events_passkey_endorsed_label,
    did: m.events_passkey_endorsed_did,
    tried: m.events_passkey_endorsed_tried,
  },
  'passkey.removed': {
    label: m.events_passkey_removed_label,
    did: m.events_passkey_removed_did,
    tried: m.events_passkey_removed_tried,
  },
  'passkey.confirmed': {
    label: m.events_passkey_confirmed_label,
    did: m.events_passkey_confirmed_did,
    tried: m.events_passkey_confirmed_tried,
  },
  'approver.set': {
    label: m.events_approver_set_label,
    did: m.events_approver_set_did,
    tried: m.events_approver_set_tried,
  },
  'approver.removal_requested': {
    label: m.events_approver_removal_requested_label,
    did: m.events_approver_removal_requested_did,
    tried: m.events_approver_removal_requested_tried,
    webhook: message(m.events_approver_removal_requested_when, ApproverEventData, exampleApprover),
  },
  'approver.kept': {
    label: m.events_approver_kept_label,
    did: m.events_approver_kept_did,
    tried: m.events_approver_kept_tried,
  },
  'approver.removed': { label: m.events_approver_removed_label, did: m.events_approver_removed_did },
  'passkey.recovery_started': {
    label: m.events_passkey_recovery_started_label,
    did: m.events_passkey_recovery_started_did,
    tried: m.events_passkey_recovery_started_tried,
    webhook: message(m.events_passkey_recovery_started_when, RecoveryEventData, exampleRecovery),
  },
  'passkey.recovery_cancelled': {
    label: m.events_passkey_recovery_cancelled_label,
    did: m.events_passkey_recovery_cancelled_did,
    tried: m.events_passkey_recovery_cancelled_tried,
    webhook: message(m.events_passkey_recovery_cancelled_when, RecoveryEventData, exampleRecovery),
  },
  'passkey.recovered': {
    label: m.events_passkey_recovered_label,
    whole: m.events_passkey_recovered_whole,
    webhook: message(m.events_passkey_recovered_when, RecoveryEventData, exampleRecovery),
  },
} satisfies Kinds

export const ssoEvents = {
  'sso.issued': {
    label: m.events_sso_issued_label,
    did: m.events_sso_issued_did,
    tried: m.events_sso_issued_tried,
  },
  'sso.bridged': {
    label: m.events_sso_bridged_label,
    did: m.events_sso_bridged_did,
    tried: m.events_sso_bridged_tried,
  },
} satisfies Kinds
