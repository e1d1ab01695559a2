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

/** Settings that stay as they are, by the events that changed them. */
export const settingLabels: Record<string, string> = {
  get 'duckling.updated'() {
    return m.setting_duckling_updated()
  },
  get 'duckling.renamed'() {
    return m.setting_duckling_renamed()
  },
  get 'handle.claimed'() {
    return m.setting_handle_claimed()
  },
  get 'handle.released'() {
    return m.setting_handle_released()
  },
  get 'notifications.updated'() {
    return m.setting_notifications_updated()
  },
  get 'duckling.phone_changed'() {
    return m.setting_duckling_phone_changed()
  },
  get 'trust.elevated'() {
    return m.setting_trust_elevated()
  },
}
