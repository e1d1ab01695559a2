import { exampleDecision, exampleNextDay } from './examples'
import { type Kinds, message } from './kind'
import { exampleApproval, examplePeck, PeckEventData } from './peck-data'

export const peckEvents = {
  'peck.sent': {
    label: 'Permission asked',
    did: 'asked {target} for {action}',
    tried: 'ask for a permission',
    webhook: message('Somebody was asked for permission', PeckEventData, examplePeck),
  },
  'peck.approved': {
    label: 'Permission approved',
    did: 'approved {action} for {asker}',
    tried: 'approve a permission',
    webhook: message('A peck was approved', PeckEventData, exampleApproval),
    counts: { completed_pecks: 1 },
  },
  'peck.rejected': {
    label: 'Permission rejected',
    did: 'rejected {action} for {asker}',
    tried: 'reject a permission',
    webhook: message('A peck was rejected', PeckEventData, {
      ...examplePeck,
      status: 'rejected',
      reason: 'Ask me in person.',
      decided_at: exampleDecision,
    }),
    counts: { completed_pecks: 1 },
  },
  'peck.expired': {
    label: 'Request expired',
    whole: 'Nobody answered {action} for {asker} in time',
    webhook: message('Nobody answered a peck in time', PeckEventData, {
      ...examplePeck,
      status: 'expired',
      decided_at: exampleNextDay,
    }),
  },
  'peck.cancelled': {
    label: 'Request withdrawn',
    did: 'withdrew the request for {action}',
    tried: 'withdraw a request',
  },
  'peck.consumed': {
    label: 'Permission used',
    tried: 'use a permission',
    whole: '{Asker} used the permission {action}',
    webhook: message('A permission was used', PeckEventData, {
      ...exampleApproval,
      grant_status: 'consumed',
      uses: 1,
      last_used_at: new Date('2026-11-21T10:06:00.000Z'),
    }),
  },
  'peck.revoked': {
    label: 'Permission revoked',
    did: 'revoked {action} from {asker}',
    tried: 'revoke a permission',
  },
  'peck.blocked': { label: 'Duckling blocked', did: 'blocked {target}', tried: 'block a duckling' },
  'peck.unblocked': { label: 'Duckling unblocked', did: 'unblocked {target}', tried: 'unblock a duckling' },
  'peck.unpaused': {
    label: 'Pause lifted',
    did: 'let {target} ask again',
    tried: 'let a duckling ask again',
  },
  'peck.snoozed': {
    label: 'Request snoozed',
    did: 'snoozed {action} for {asker}',
    tried: 'snooze a request',
  },
  'peck.undone': {
    label: 'Rejection undone',
    tried: 'undo a rejection',
    did: 'undid the rejection of {action} for {asker}',
  },
  'peck.receipt_shared': {
    label: 'Receipt shared',
    did: 'made the receipt of a request public, with its values {values}',
    tried: 'share a receipt',
  },
  'peck.receipt_unshared': {
    label: 'Receipt no longer shared',
    did: 'stopped sharing the receipt of a request',
    tried: 'stop sharing a receipt',
  },
} satisfies Kinds
