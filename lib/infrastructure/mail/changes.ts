/** The sensitive changes that an account is mailed about, in words. `name` is the quoted name of an agent, or the id of an endpoint. */
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
  notifications_changed: () => 'The settings of your notifications were changed.',
  sessions_ended: () => 'Other sessions of yours were ended.',
  signed_on: () => 'Your account was used to sign on at a site where it was not used in the last 30 days.',
} satisfies Record<string, (name: string) => string>

export type AnnouncedChange = keyof typeof changes

/** Returns a change in a sentence. `name` is quoted. */
export function changeSentence(change: string | undefined, name: string): string {
  const sentence = changes[change as AnnouncedChange] as ((name: string) => string) | undefined
  return sentence === undefined ? 'Your account was changed.' : sentence(name)
}
