/** What the undo of a change of address removes and suspends, by the members of its event, with the words for mails and pages. */
export const removedLabels = {
  agents: 'Agents suspended',
  webhooks: 'Webhooks switched off',
  keys: 'Keys of agents ended',
  passkeys: 'Passkeys removed',
  grants_revoked: 'Permissions revoked',
  pecks_cancelled: 'Requests cancelled',
  sso_tokens: 'Sign-on tokens revoked',
  shared_receipts: 'Shared receipts made private',
  blocks: 'Blocks removed',
} as const

export type RemovedKind = keyof typeof removedLabels

export const removedKinds = Object.keys(removedLabels) as RemovedKind[]

/** Settings that stay as they are, by the events that changed them. */
export const settingLabels: Record<string, string> = {
  'duckling.updated': 'profile and rules for requests',
  'duckling.renamed': 'name',
  'handle.claimed': 'handle',
  'handle.released': 'handle',
  'notifications.updated': 'notifications',
  'duckling.phone_changed': 'phone number',
  'trust.elevated': 'trust tier',
}
