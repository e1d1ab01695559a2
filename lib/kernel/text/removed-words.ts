/** What the undo of a change of address removes and suspends, by the members of its event, with the words for mails and pages. */
import { m } from '@/lib/kernel/messages'
export const removedLabels = {
  get agents() {
    return m.removed_agents()
  },
  get webhooks() {
    return m.removed_webhooks()
  },
  get channels() {
    return m.removed_channels()
  },
  get keys() {
    return m.removed_keys()
  },
  get passkeys() {
    return m.removed_passkeys()
  },
  get grants_revoked() {
    return m.removed_grants_revoked()
  },
  get pecks_cancelled() {
    return m.removed_pecks_cancelled()
  },
  get sso_tokens() {
    return m.removed_sso_tokens()
  },
  get shared_receipts() {
    return m.removed_shared_receipts()
  },
  get blocks() {
    return m.removed_blocks()
  },
  get rules() {
    return m.removed_rules()
  },
  get invitations() {
    return m.removed_invitations()
  },
  get contacts() {
    return m.removed_contacts()
  },
} as const

export type RemovedKind = keyof typeof removedLabels

export const removedKinds = Object.keys(removedLabels) as RemovedKind[]

/** Settings that stay as they are, with the events that changed them. */
const settings: readonly { label: () => string; events: readonly string[] }[] = [
  { label: m.setting_duckling_updated, events: ['duckling.updated'] },
  { label: m.setting_duckling_renamed, events: ['duckling.renamed'] },
  { label: m.setting_handle, events: ['handle.claimed', 'handle.released'] },
  { label: m.setting_notifications_updated, events: ['notifications.updated'] },
  { label: m.setting_duckling_phone_changed, events: ['duckling.phone_changed'] },
  { label: m.setting_trust_elevated, events: ['trust.elevated'] },
  {
    label: m.setting_rules,
    events: ['rule.created', 'rule.updated', 'rule.paused', 'rule.resumed', 'rule.ended'],
  },
  { label: m.setting_channels, events: ['channel.updated', 'channel.removed'] },
  { label: m.setting_webhooks, events: ['webhook.updated', 'webhook.rotated', 'webhook.deleted'] },
  { label: m.setting_passkeys, events: ['passkey.removed'] },
  {
    label: m.setting_approver,
    events: ['approver.set', 'approver.removal_requested', 'approver.removed'],
  },
  { label: m.setting_blocks, events: ['peck.unblocked'] },
]

/** The events that changed a setting. */
export const settingEvents: readonly string[] = settings.flatMap(({ events }) => events)

/** Returns the settings that events changed, in words. */
export const settingWords = (changed: readonly string[]): string[] =>
  settings.flatMap(({ label, events }) => (events.some((event) => changed.includes(event)) ? label() : []))
