import { type Kinds, message } from './kind'
import { ApproverEventData, exampleApprover, exampleRecovery, RecoveryEventData } from './trust-data'

export const signingInEvents = {
  'code.requested': { label: 'Code asked for', did: 'asked for a code {purpose}', tried: 'get another code' },
  'code.sent': { label: 'Code sent', did: 'sent a code {purpose} by {channel}' },
  'session.started': { label: 'Signed in', did: 'signed in{methods}', tried: 'sign in{how}' },
  'session.device_approved': {
    label: 'Device approved',
    did: 'approved the sign-in of the device {device}',
    tried: 'approve the sign-in of a device',
  },
  'session.device_denied': {
    label: 'Device denied',
    did: 'denied the sign-in of the device {device}',
    tried: 'deny the sign-in of a device',
  },
  'session.device_withdrawn': {
    label: 'Approval of a device withdrawn',
    did: 'took back the approval of the device {device}',
  },
  'session.ended': { label: 'Signed out', did: 'signed out', tried: 'sign out' },
  'session.revoked': { label: 'Session ended', did: 'ended {sessions}{why}', tried: 'end a session' },
  'passkey.challenged': {
    label: 'Passkey asked for',
    did: 'asked for a passkey {purpose}',
    tried: 'use a passkey',
  },
  'passkey.registered': { label: 'Passkey added', did: 'added the passkey {name}', tried: 'add a passkey' },
  'passkey.endorsed': {
    label: 'Passkey vouched for',
    did: 'let an older passkey vouch for the passkey {name}',
    tried: 'let an older passkey vouch for a newer one',
  },
  'passkey.removed': { label: 'Passkey removed', did: 'removed {passkey}', tried: 'remove a passkey' },
  'passkey.confirmed': {
    label: 'Confirmed with a passkey',
    did: 'confirmed the session with a passkey',
    tried: 'confirm the session with a passkey',
  },
  'approver.set': {
    label: 'Approver set',
    did: 'set the approver {origin}',
    tried: 'set an approver',
  },
  'approver.removal_requested': {
    label: 'Removal of the approver requested',
    did: 'asked to remove the approver {origin} after 24 hours',
    tried: 'ask for the removal of the approver',
    webhook: message('Somebody asked to remove your approver', ApproverEventData, exampleApprover),
  },
  'approver.kept': {
    label: 'Approver kept',
    did: 'kept the approver {origin}',
    tried: 'keep the approver',
  },
  'approver.removed': { label: 'Approver removed', did: 'removed the approver {origin}' },
  'passkey.recovery_started': {
    label: 'Removal of passkeys requested',
    did: 'asked to remove all passkeys after 24 hours',
    tried: 'ask for the removal of all passkeys',
    webhook: message('Somebody asked to remove all your passkeys', RecoveryEventData, exampleRecovery),
  },
  'passkey.recovery_cancelled': {
    label: 'Removal of passkeys cancelled',
    did: 'cancelled the removal of all passkeys',
    tried: 'cancel the removal of all passkeys',
    webhook: message('The removal of your passkeys was cancelled', RecoveryEventData, exampleRecovery),
  },
  'passkey.recovered': {
    label: 'All passkeys removed',
    whole: 'All passkeys were removed, as requested 24 hours before',
    webhook: message('All your passkeys were removed', RecoveryEventData, exampleRecovery),
  },
} satisfies Kinds
