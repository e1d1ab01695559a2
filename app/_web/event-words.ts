/**
 * What each kind of event is called, and how it reads as a sentence: who did it, then `did`, or after "tried to" `tried`.
 * `whole` is for what nobody does by themselves: it is the whole sentence. Words in braces are facts of the event
 * (`event-sentence.ts`); where a fact is missing the words around it must still read.
 */
import type { EventKind } from '@/lib/infrastructure/events/kinds'

export interface EventWords {
  /** Its name among the kinds to choose from. */
  label: string
  did?: string
  tried?: string
  whole?: string
}

export const eventWords: Record<EventKind, EventWords> = {
  'duckling.registered': { label: 'Signed up', did: 'signed up', tried: 'sign up with your e-mail address' },
  'duckling.verified': {
    label: 'E-mail confirmed',
    did: 'confirmed the e-mail address',
    tried: 'confirm the e-mail address',
  },
  'duckling.updated': { label: 'Profile changed', did: 'changed {fields}', tried: 'change the profile' },
  'duckling.renamed': {
    label: 'Name changed',
    did: 'changed the name from {from} to {to}',
    tried: 'change the name',
  },
  'duckling.email_changed': {
    label: 'E-mail changed',
    did: 'changed the e-mail address',
    tried: 'change the e-mail address',
  },
  'duckling.closed': {
    label: 'Account closed',
    did: 'closed the account',
    tried: 'close the account',
  },
  'duckling.exported': { label: 'Data exported', did: 'exported everything held about you' },
  'duckling.email_restored': {
    label: 'E-mail restored',
    whole: 'A change of e-mail address was undone by the link in the mail to the earlier address',
  },
  'duckling.phone_changed': { label: 'Phone changed', did: 'changed the phone number' },
  'account.reclaimed': {
    label: 'Account reclaimed',
    whole: 'The address was proven. What other sessions had set up before was removed',
  },
  'egg.laid': { label: 'Egg laid', whole: 'You laid an egg: somebody joined with your link' },
  'code.requested': {
    label: 'Code asked for',
    did: 'asked for a code {purpose}',
    tried: 'get another code',
  },
  'code.sent': { label: 'Code sent', did: 'sent a code {purpose} by {channel}' },
  'session.started': { label: 'Signed in', did: 'signed in{methods}', tried: 'sign in{how}' },
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
  },
  'passkey.recovery_cancelled': {
    label: 'Removal of passkeys cancelled',
    did: 'cancelled the removal of all passkeys',
    tried: 'cancel the removal of all passkeys',
  },
  'passkey.recovered': {
    label: 'All passkeys removed',
    whole: 'All passkeys were removed, as requested 24 hours before',
  },
  'trust.challenged': { label: 'Phone code asked for', did: 'asked for a code to confirm the phone' },
  'trust.elevated': { label: 'Tier raised', did: 'rose to trust tier {to}', tried: 'rise to a higher tier' },
  'trust.lowered': {
    label: 'Tier lowered',
    whole: 'Your trust tier fell to {to}: your phone number was verified for another account',
  },
  'cert.issued': {
    label: 'Certificate issued',
    did: 'issued the birth certificate at {tier}',
    tried: 'issue a birth certificate',
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
  },
  'agent.registered': {
    label: 'Agent registered',
    did: 'registered the agent {agent}',
    tried: 'register an agent',
  },
  'agent.updated': { label: 'Agent changed', did: 'changed the agent {agent}', tried: 'change an agent' },
  'agent.bonded': { label: 'Agent bonded', did: 'bonded with its beak key', tried: 'bond' },
  'agent.suspended': { label: 'Agent suspended', did: 'suspended {agent}', tried: 'suspend an agent' },
  'agent.resumed': { label: 'Agent resumed', did: 'resumed {agent}', tried: 'resume an agent' },
  'agent.deregistered': {
    label: 'Agent deregistered',
    did: 'deregistered {agent}',
    tried: 'deregister an agent',
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
  },
  'key.refused': { label: 'Beak key refused', whole: 'A beak key of {agent} was tried{times}: {cause}' },
  'peck.sent': {
    label: 'Permission asked',
    did: 'asked {target} for {action}',
    tried: 'ask for a permission',
  },
  'peck.approved': {
    label: 'Permission approved',
    did: 'approved {action} for {asker}',
    tried: 'approve a permission',
  },
  'peck.rejected': {
    label: 'Permission rejected',
    did: 'rejected {action} for {asker}',
    tried: 'reject a permission',
  },
  'peck.expired': { label: 'Request expired', whole: 'Nobody answered {action} for {asker} in time' },
  'peck.cancelled': {
    label: 'Request cancelled',
    did: 'took back the request for {action}',
    tried: 'take a request back',
  },
  'peck.consumed': {
    label: 'Permission used',
    whole: '{Asker} used the permission {action}',
    tried: 'use a permission',
  },
  'peck.revoked': {
    label: 'Permission revoked',
    did: 'revoked {action} from {asker}',
    tried: 'revoke a permission',
  },
  'peck.blocked': { label: 'Duckling blocked', did: 'blocked {target}', tried: 'block a duckling' },
  'peck.unblocked': { label: 'Duckling unblocked', did: 'unblocked {target}', tried: 'unblock a duckling' },
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
}

/** The kinds in groups, to choose from. */
export const eventGroups: { label: string; kinds: EventKind[] }[] = [
  { label: 'Account', prefixes: ['duckling', 'account', 'egg'] },
  { label: 'Signing in', prefixes: ['session', 'code', 'passkey'] },
  { label: 'Trust and certificate', prefixes: ['trust', 'cert'] },
  { label: 'Agents', prefixes: ['agent', 'key'] },
  { label: 'Pecks', prefixes: ['peck'] },
  { label: 'Other domains', prefixes: ['sso'] },
  { label: 'Webhooks', prefixes: ['webhook'] },
].map(({ label, prefixes }) => ({
  label,
  kinds: (Object.keys(eventWords) as EventKind[]).filter((kind) =>
    prefixes.includes(kind.slice(0, kind.indexOf('.'))),
  ),
}))
