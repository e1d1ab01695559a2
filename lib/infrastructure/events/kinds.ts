/**
 * Every kind of event: whether it is sent as a webhook (contract C), and which public counts (spec, metrics) it changes. The audit log
 * records all kinds.
 */

export const counts = [
  'registered_ducklings',
  'certified',
  'bonded_agents',
  'domains',
  'completed_pecks',
] as const
export type CountName = (typeof counts)[number]

/**
 * The words of a kind. Words in braces are facts of the event (`app/_web/event-sentence.ts`). When a fact is missing, the words around it
 * must still make a sentence.
 */
interface Kind {
  /** Its name in lists to choose from. */
  label: string
  /** What the actor did, after the actor's name. */
  did?: string
  /** What the actor failed to do, after "tried to". */
  tried?: string
  /** The whole sentence, for an event that is nobody's own act. */
  whole?: string
  /** Sends a webhook. The text tells the owner of an endpoint when. */
  webhook?: string
  counts?: Partial<Record<CountName, number>>
}

const kinds = {
  'duckling.registered': {
    label: 'Signed up',
    did: 'signed up',
    tried: 'sign up with your email address',
    counts: { registered_ducklings: 1 },
  },
  'duckling.verified': {
    label: 'Email confirmed',
    did: 'confirmed the email address',
    tried: 'confirm the email address',
  },
  'duckling.updated': { label: 'Profile changed', did: 'changed {fields}', tried: 'change the profile' },
  'notifications.updated': {
    label: 'Notification settings changed',
    did: 'changed {fields}',
    tried: 'change the notification settings',
  },
  'duckling.renamed': {
    label: 'Name changed',
    did: 'changed the name from {from} to {to}',
    tried: 'change the name',
  },
  'duckling.email_changed': {
    label: 'Email changed',
    did: 'changed the email address',
    tried: 'change the email address',
  },
  'duckling.email_restored': {
    label: 'Email restored',
    whole: 'A change of email address was undone by the link in the mail to the earlier address',
  },
  'duckling.phone_changed': { label: 'Phone changed', did: 'changed the phone number' },
  'duckling.closed': {
    label: 'Account closed',
    did: 'closed the account',
    tried: 'close the account',
    counts: { registered_ducklings: -1 },
  },
  'duckling.exported': { label: 'Data exported', did: 'exported everything held about you' },
  'account.reclaimed': {
    label: 'Account reclaimed',
    whole: 'The address was proven. What other sessions had set up before was removed',
  },
  'egg.laid': { label: 'Egg laid', whole: 'You laid an egg: somebody joined with your link' },
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
  'session.ended': { label: 'Signed out', did: 'signed out', tried: 'sign out' },
  'session.revoked': { label: 'Session ended', did: 'ended {sessions}{why}', tried: 'end a session' },
  'passkey.challenged': {
    label: 'Passkey asked for',
    did: 'asked for a passkey {purpose}',
    tried: 'use a passkey',
  },
  'passkey.registered': { label: 'Passkey added', did: 'added the passkey {name}', tried: 'add a passkey' },
  'passkey.removed': { label: 'Passkey removed', did: 'removed {passkey}', tried: 'remove a passkey' },
  'passkey.confirmed': {
    label: 'Confirmed with a passkey',
    did: 'confirmed the session with a passkey',
    tried: 'confirm the session with a passkey',
  },
  'passkey.recovery_started': {
    label: 'Removal of passkeys requested',
    did: 'asked to remove all passkeys after 24 hours',
    tried: 'ask for the removal of all passkeys',
    webhook: 'Somebody asked to remove all your passkeys',
  },
  'passkey.recovery_cancelled': {
    label: 'Removal of passkeys cancelled',
    did: 'cancelled the removal of all passkeys',
    tried: 'cancel the removal of all passkeys',
    webhook: 'The removal of your passkeys was cancelled',
  },
  'passkey.recovered': {
    label: 'All passkeys removed',
    whole: 'All passkeys were removed, as requested 24 hours before',
    webhook: 'All your passkeys were removed',
  },
  'trust.challenged': { label: 'Phone code asked for', did: 'asked for a code to confirm the phone' },
  'trust.elevated': {
    label: 'Tier raised',
    did: 'reached trust tier {to}',
    tried: 'rise to a higher tier',
    webhook: 'You reached a higher tier',
  },
  'trust.lowered': {
    label: 'Tier lowered',
    whole: 'Your trust tier fell to {to}: your phone number was verified for another account',
    webhook: 'You fell to a lower tier',
  },
  'cert.issued': {
    label: 'Certificate issued',
    did: 'issued the birth certificate at {tier}',
    tried: 'issue a birth certificate',
    webhook: 'You were issued a certificate',
  },
  'cert.superseded': {
    label: 'Certificate superseded',
    whole: 'A newer birth certificate took the place of the one at {tier}',
  },
  'cert.resigned': {
    label: 'Certificate signed again',
    whole: 'Beak signed your certificate again, because the key that had signed it may have been stolen',
  },
  'cert.revoked': {
    label: 'Certificate revoked',
    did: 'revoked the birth certificate',
    tried: 'revoke the birth certificate',
    webhook: 'Your certificate was revoked',
  },
  'agent.registered': {
    label: 'Agent registered',
    did: 'registered the agent {agent}',
    tried: 'register an agent',
    webhook: 'You registered an agent',
  },
  'agent.updated': { label: 'Agent changed', did: 'changed the agent {agent}', tried: 'change an agent' },
  'agent.bonded': {
    label: 'Agent bonded',
    did: 'bonded with its beak key',
    tried: 'bond',
    webhook: 'An agent of yours bonded',
  },
  'agent.suspended': {
    label: 'Agent suspended',
    did: 'suspended {agent}',
    tried: 'suspend an agent',
    webhook: 'You suspended an agent',
  },
  'agent.resumed': { label: 'Agent resumed', did: 'resumed {agent}', tried: 'resume an agent' },
  'agent.deregistered': {
    label: 'Agent deregistered',
    did: 'deregistered {agent}',
    tried: 'deregister an agent',
    webhook: 'An agent of yours ended',
  },
  'agent.handshake_made': {
    label: 'Handshake made',
    did: 'made a new handshake for {agent}',
    tried: 'make a handshake for an agent',
  },
  'agent.token_issued': {
    label: 'Agent token issued',
    did: 'took a token for {audience}',
    tried: 'take a token',
  },
  'key.rotated': {
    label: 'Beak key rotated',
    did: 'gave {agent} a new beak key',
    tried: 'give an agent a new beak key',
    webhook: 'An agent got a new key',
  },
  'key.refused': { label: 'Beak key refused', whole: 'A beak key of {agent} was tried{times}: {cause}' },
  'peck.sent': {
    label: 'Permission asked',
    did: 'asked {target} for {action}',
    tried: 'ask for a permission',
    webhook: 'Somebody was asked for permission',
  },
  'peck.approved': {
    label: 'Permission approved',
    did: 'approved {action} for {asker}',
    tried: 'approve a permission',
    webhook: 'A peck was approved',
    counts: { completed_pecks: 1 },
  },
  'peck.rejected': {
    label: 'Permission rejected',
    did: 'rejected {action} for {asker}',
    tried: 'reject a permission',
    webhook: 'A peck was rejected',
    counts: { completed_pecks: 1 },
  },
  'peck.expired': {
    label: 'Request expired',
    whole: 'Nobody answered {action} for {asker} in time',
    webhook: 'Nobody answered a peck in time',
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
    webhook: 'A permission was used',
  },
  'peck.revoked': {
    label: 'Permission revoked',
    did: 'revoked {action} from {asker}',
    tried: 'revoke a permission',
  },
  'peck.blocked': { label: 'Duckling blocked', did: 'blocked {target}', tried: 'block a duckling' },
  'peck.unblocked': { label: 'Duckling unblocked', did: 'unblocked {target}', tried: 'unblock a duckling' },
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
  'sso.issued': {
    label: 'SSO token issued',
    did: 'issued an SSO token for {target_domain}',
    tried: 'issue an SSO token',
  },
  'sso.bridged': {
    label: 'SSO token bridged',
    did: 'signed in at {target_domain} with an SSO token',
    tried: 'bridge an SSO token',
  },
  'webhook.created': { label: 'Webhook added', did: 'added a webhook to {host}', tried: 'add a webhook' },
  'webhook.updated': {
    label: 'Webhook changed',
    did: 'changed the webhook to {host}',
    tried: 'change a webhook',
  },
  'webhook.deleted': { label: 'Webhook deleted', did: 'deleted a webhook', tried: 'delete a webhook' },
  'webhook.tested': {
    label: 'Webhook tested',
    did: 'tested a webhook: {delivered}',
    tried: 'test a webhook',
  },
  'webhook.rotated': {
    label: 'Webhook secret changed',
    did: 'gave a webhook a new secret',
    tried: 'give a webhook a new secret',
  },
  'webhook.redelivered': {
    label: 'Message sent again',
    did: 'had a webhook message sent again',
    tried: 'send a webhook message again',
  },
  'webhook.disabled': { label: 'Webhook switched off', did: 'switched off {webhooks}: {reason}' },
} satisfies Record<string, Kind>

export type EventKind = keyof typeof kinds
export const eventKinds: Record<EventKind, Kind> = kinds

/** The kinds that a webhook endpoint can subscribe to, as in the contract. */
export const webhookKinds = [
  ...(Object.keys(kinds) as EventKind[]).filter((kind) => eventKinds[kind].webhook),
  'webhook.test',
] as const
export type WebhookKind = (typeof webhookKinds)[number]

/** Returns when a webhook of this kind is sent. */
export function whenSent(kind: WebhookKind): string {
  if (kind === 'webhook.test') return 'You sent a test. Always sent, even if not ticked'
  return eventKinds[kind].webhook ?? ''
}
