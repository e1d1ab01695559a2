import type { Kinds } from './kind'

export const accountEvents = {
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
    did: 'changed the {field} from {from} to {to}',
    tried: 'change the name',
  },
  'handle.claimed': {
    label: 'Handle chosen',
    did: 'chose the handle {handle}',
    tried: 'choose a handle',
  },
  'handle.released': {
    label: 'Handle released',
    did: 'released the handle {handle}',
    tried: 'release the handle',
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
  'duckling.email_restore_started': {
    label: 'Email undo started',
    whole:
      'The link in the mail to the earlier address was used. A passkey had confirmed the change, so the undo waits for a day',
  },
  'duckling.email_restore_cancelled': {
    label: 'Email undo cancelled',
    did: 'cancelled the undo of the change of email address',
    tried: 'cancel the undo of the change of email address',
  },
  'duckling.phone_changed': { label: 'Phone changed', did: 'changed the phone number' },
  'duckling.closed': {
    label: 'Account closed',
    did: 'closed the account',
    tried: 'close the account',
    counts: { registered_ducklings: -1 },
  },
  'duckling.exported': { label: 'Data exported', did: 'exported everything held about you' },
  'account.created': {
    label: 'Account created',
    did: 'created the account',
    counts: { registered_ducklings: 1 },
  },
  'account.link_made': { label: 'Sign-in link made', did: 'made a sign-in link for the account' },
  'account.suspended': { label: 'Account suspended', did: 'suspended the account{stated}' },
  'account.resumed': { label: 'Account resumed', did: 'resumed the account' },
  'account.reclaimed': {
    label: 'Account reclaimed',
    whole: 'The address was proven. What other sessions had set up before was removed',
  },
  'service.restored': {
    label: 'Service restored',
    whole:
      'The host restored the service from a backup. Sessions and permissions ended, and agents are suspended',
  },
  'egg.laid': { label: 'Egg laid', whole: 'You laid an egg: somebody joined with your link' },
} satisfies Kinds
