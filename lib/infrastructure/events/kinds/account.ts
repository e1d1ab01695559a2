import { m } from '@/lib/kernel/messages'
import type { Kinds } from './kind'

export const accountEvents = {
  'duckling.registered': {
    label: m.events_duckling_registered_label,
    did: m.events_duckling_registered_did,
    tried: m.events_duckling_registered_tried,
    counts: { registered_ducklings: 1 },
  },
  'duckling.verified': {
    label: m.events_duckling_verified_label,
    did: m.events_duckling_verified_did,
    tried: m.events_duckling_verified_tried,
  },
  'duckling.updated': {
    label: m.events_duckling_updated_label,
    did: m.events_duckling_updated_did,
    tried: m.events_duckling_updated_tried,
  },
  'notifications.updated': {
    label: m.events_notifications_updated_label,
    did: m.events_duckling_updated_did,
    tried: m.events_notifications_updated_tried,
  },
  'duckling.renamed': {
    label: m.events_duckling_renamed_label,
    did: m.events_duckling_renamed_did,
    tried: m.events_duckling_renamed_tried,
  },
  'handle.claimed': {
    label: m.events_handle_claimed_label,
    did: m.events_handle_claimed_did,
    tried: m.events_handle_claimed_tried,
  },
  'handle.released': {
    label: m.events_handle_released_label,
    did: m.events_handle_released_did,
    tried: m.events_handle_released_tried,
  },
  'duckling.email_changed': {
    label: m.events_duckling_email_changed_label,
    did: m.events_duckling_email_changed_did,
    tried: m.events_duckling_email_changed_tried,
  },
  'duckling.email_restored': {
    label: m.events_duckling_email_restored_label,
    whole: m.events_duckling_email_restored_whole,
  },
  'duckling.email_restore_started': {
    label: m.events_duckling_email_restore_started_label,
    whole: m.events_duckling_email_restore_started_whole,
  },
  'duckling.email_restore_cancelled': {
    label: m.events_duckling_email_restore_cancelled_label,
    did: m.events_duckling_email_restore_cancelled_did,
    tried: m.events_duckling_email_restore_cancelled_tried,
  },
  'duckling.phone_changed': {
    label: m.events_duckling_phone_changed_label,
    did: m.events_duckling_phone_changed_did,
  },
  'duckling.closed': {
    label: m.events_duckling_closed_label,
    did: m.events_duckling_closed_did,
    tried: m.events_duckling_closed_tried,
    counts: { registered_ducklings: -1 },
  },
  'duckling.exported': { label: m.events_duckling_exported_label, did: m.events_duckling_exported_did },
  'account.created': {
    label: m.events_account_created_label,
    did: m.events_account_created_did,
    counts: { registered_ducklings: 1 },
  },
  'account.link_made': { label: m.events_account_link_made_label, did: m.events_account_link_made_did },
  'account.suspended': { label: m.events_account_suspended_label, did: m.events_account_suspended_did },
  'account.resumed': { label: m.events_account_resumed_label, did: m.events_account_resumed_did },
  'account.reclaimed': {
    label: m.events_account_reclaimed_label,
    whole: m.events_account_reclaimed_whole,
  },
  'service.restored': {
    label: m.events_service_restored_label,
    whole: m.events_service_restored_whole,
  },
  'egg.laid': { label: m.events_egg_laid_label, whole: m.events_egg_laid_whole },
} satisfies Kinds
