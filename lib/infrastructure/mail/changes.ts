/** The sensitive changes that an account is told about, in words. `name` is the quoted name of an agent, or the id of an endpoint. */
const changes = {
  agent_registered: (name) => `The agent ${name} was registered.`,
  agent_prepared: (name) =>
    `A device that you allowed prepared the agent ${name}. It can do nothing until you resume it.`,
  agent_resumed: (name) => `The agent ${name} was resumed.`,
  key_in_addresses: (name) => `The key of the agent ${name} is accepted in web addresses now.`,
  webhook_created: (name) => `The webhook endpoint ${name} was created.`,
  webhook_prepared: (name) =>
    `A device that you allowed prepared the webhook endpoint ${name}. It gets nothing until you switch it on.`,
  webhook_changed: (name) => `The webhook endpoint ${name} was changed.`,
  webhook_deleted: (name) => `The webhook endpoint ${name} was deleted.`,
  webhook_secret_changed: (name) => `The webhook endpoint ${name} has a new secret.`,
  handshake_made: (name) => `A new handshake for the agent ${name} was made.`,
  rules_weakened: () => 'The rules for requests to you were loosened.',
  handle_claimed: (name) => `Your handle is ${name} now.`,
  handle_released: (name) => `Your handle ${name} was released. Nobody else can have it for a year.`,
  notifications_changed: () => 'The settings of your notifications were changed.',
  sessions_ended: () => 'Other sessions of yours were ended.',
  signed_on: () => 'Your account was used to sign on at a site where it was not used in the last 30 days.',
  // Each of these has a mail of its own.
  device_allowed: (name) => `The device ${name} was allowed to sign in.`,
  email_changed: () => 'The email address was changed.',
  key_rotated: (name) => `The agent ${name} has a new key.`,
  passkey_added: (name) => `The passkey ${name} was added.`,
  passkey_removed: (name) => `The passkey ${name} was removed.`,
  // Without its address: mails have no links that others chose.
  approver_set: () => 'Your account has an approver now. See its address on your security page.',
  approver_removal_requested: () =>
    'Somebody asked to remove your approver. It is removed after 24 hours, unless you keep it.',
  approver_kept: () => 'Your approver stays.',
  phone_changed: () => 'The phone number was changed.',
} satisfies Record<string, (name: string) => string>

export type AnnouncedChange = keyof typeof changes

/** Returns a change in a sentence. `name` is quoted. */
export function changeSentence(change: string | undefined, name: string): string {
  const sentence = changes[change as AnnouncedChange] as ((name: string) => string) | undefined
  return sentence === undefined ? 'Your account was changed.' : sentence(name)
}
