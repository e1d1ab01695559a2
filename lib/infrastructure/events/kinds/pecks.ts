import { m } from '@/lib/kernel/messages'
import { exampleDecision, exampleNextDay, type Kinds, message } from './kind'
import { exampleApproval, examplePeck, PeckEndedData, PeckEventData } from './peck-data'

export const peckEvents = {
  'peck.sent': {
    label: m.events_peck_sent_label,
    did: m.events_peck_sent_did,
    tried: m.events_peck_sent_tried,
    webhook: message(m.events_peck_sent_when, PeckEventData, examplePeck),
  },
  'peck.approved': {
    label: m.events_peck_approved_label,
    did: m.events_peck_approved_did,
    tried: m.events_peck_approved_tried,
    webhook: message(m.events_peck_approved_when, PeckEventData, exampleApproval),
    counts: { completed_pecks: 1 },
  },
  'peck.rejected': {
    label: m.events_peck_rejected_label,
    did: m.events_peck_rejected_did,
    tried: m.events_peck_rejected_tried,
    webhook: message(m.events_peck_rejected_when, PeckEventData, {
      ...examplePeck,
      status: 'rejected',
      reason: 'Ask me in person.',
      decided_at: exampleDecision,
    }),
    counts: { completed_pecks: 1 },
  },
  'peck.expired': {
    label: m.events_peck_expired_label,
    whole: m.events_peck_expired_whole,
    webhook: message(m.events_peck_expired_when, PeckEventData, {
      ...examplePeck,
      status: 'expired',
      decided_at: exampleNextDay,
    }),
  },
  'peck.cancelled': {
    label: m.events_peck_cancelled_label,
    did: m.events_peck_cancelled_did,
    tried: m.events_peck_cancelled_tried,
    webhook: message(m.events_peck_cancelled_when, PeckEndedData, {
      ...examplePeck,
      status: 'cancelled',
      decided_at: exampleDecision,
    }),
  },
  'peck.consumed': {
    label: m.events_peck_consumed_label,
    tried: m.events_peck_consumed_tried,
    whole: m.events_peck_consumed_whole,
    webhook: message(m.events_peck_consumed_when, PeckEventData, {
      ...exampleApproval,
      grant_status: 'consumed',
      uses: 1,
      last_used_at: new Date('2026-11-21T10:06:00.000Z'),
    }),
  },
  'peck.revoked': {
    label: m.events_peck_revoked_label,
    did: m.events_peck_revoked_did,
    tried: m.events_peck_revoked_tried,
    webhook: message(m.events_peck_revoked_when, PeckEndedData, {
      ...exampleApproval,
      grant_status: 'revoked',
      cause: 'agent_deregistered',
    }),
  },
  'peck.grant_expired': {
    label: m.events_peck_grant_expired_label,
    whole: m.events_peck_grant_expired_whole,
    webhook: message(m.events_peck_grant_expired_when, PeckEventData, {
      ...exampleApproval,
      grant_status: 'expired',
    }),
  },
  'peck.blocked': {
    label: m.events_peck_blocked_label,
    did: m.events_peck_blocked_did,
    tried: m.events_peck_blocked_tried,
  },
  'peck.unblocked': {
    label: m.events_peck_unblocked_label,
    did: m.events_peck_unblocked_did,
    tried: m.events_peck_unblocked_tried,
  },
  'peck.unpaused': {
    label: m.events_peck_unpaused_label,
    did: m.events_peck_unpaused_did,
    tried: m.events_peck_unpaused_tried,
  },
  'peck.snoozed': {
    label: m.events_peck_snoozed_label,
    did: m.events_peck_snoozed_did,
    tried: m.events_peck_snoozed_tried,
  },
  'peck.undone': {
    label: m.events_peck_undone_label,
    tried: m.events_peck_undone_tried,
    did: m.events_peck_undone_did,
  },
  'peck.receipt_shared': {
    label: m.events_peck_receipt_shared_label,
    did: m.events_peck_receipt_shared_did,
    tried: m.events_peck_receipt_shared_tried,
  },
  'peck.receipt_unshared': {
    label: m.events_peck_receipt_unshared_label,
    did: m.events_peck_receipt_unshared_did,
    tried: m.events_peck_receipt_unshared_tried,
  },
  'invitation.created': {
    label: m.events_invitation_created_label,
    did: m.events_invitation_created_did,
    tried: m.events_invitation_created_tried,
  },
  'invitation.revoked': {
    label: m.events_invitation_revoked_label,
    did: m.events_invitation_revoked_did,
    tried: m.events_invitation_revoked_tried,
  },
  'contact.updated': {
    label: m.events_contact_updated_label,
    did: m.events_contact_updated_did,
    tried: m.events_contact_updated_tried,
  },
} satisfies Kinds
