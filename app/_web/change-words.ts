/** The sensitive changes of an account on its pages: what each is called, and where it is undone. */
import { quoted } from '@beak/decision/quote'
import { type AnnouncedChange, type NamedChange, quotedChangeName } from '@/lib/infrastructure/mail/changes'
import { m } from '@/lib/kernel/messages'
import { keptText } from '@/lib/kernel/text/kept-values'

interface ChangeOnPages {
  /** Begins with a small letter. `name` is quoted, and empty in a list of several changes. */
  words: (name: string) => string
  /** The link to where the change is undone. Null: there is nothing to undo. */
  undo: (() => string) | null
  /** `agent` and `webhook`: the page of what has the name of the change. */
  where: `/${string}` | 'agent' | 'webhook'
}

const given = (name: string) => ({ name, named: name === '' ? 'no' : 'yes' }) as const

const agent = { undo: m.change_undo_agent, where: 'agent' } as const
const webhook = { undo: m.change_undo_webhook, where: 'webhook' } as const
const channel = { undo: m.change_undo_notifications, where: '/notifications#channels' } as const
const rules = { undo: m.change_undo_rules, where: '/allowed#rules' } as const
const everything = { undo: m.change_undo_allowed, where: '/allowed' } as const
const nothing = { undo: null, where: '/audit' } as const
const devices = { undo: m.change_undo_devices, where: '/security#sessions' } as const
const ownSites = { undo: m.change_undo_sites, where: '/sites' } as const
const names = { undo: m.change_undo_name, where: '/profile#name' } as const
const handle = { undo: m.change_undo_handle, where: '/profile#handle' } as const

const changes: Record<AnnouncedChange, ChangeOnPages> = {
  agent_registered: { words: (name) => keptText(m.change_agent_added, { name }), ...agent },
  agent_prepared: { words: (name) => keptText(m.change_agent_prepared, { name }), ...agent },
  agent_resumed: { words: (name) => keptText(m.change_agent_resumed, { name }), ...agent },
  agent_may_more: { words: (name) => keptText(m.change_agent_may_more, { name }), ...agent },
  guard_alarms_off: { words: (name) => keptText(m.change_alarms_off, { name }), ...agent },
  key_in_addresses: { words: (name) => keptText(m.change_key_in_addresses, { name }), ...agent },
  key_rotated: { words: (name) => keptText(m.change_agent_rekeyed, { name }), ...agent },
  handshake_made: { words: (name) => keptText(m.change_agent_ready, { name }), ...agent },
  webhook_created: { words: (name) => keptText(m.change_webhook_added, { name }), ...webhook },
  webhook_prepared: { words: (name) => keptText(m.change_webhook_prepared, { name }), ...webhook },
  webhook_changed: { words: (name) => keptText(m.change_webhook_changed, { name }), ...webhook },
  webhook_secret_changed: { words: (name) => keptText(m.change_webhook_secret, { name }), ...webhook },
  webhook_deleted: {
    words: (name) => keptText(m.change_webhook_deleted, { name }),
    undo: m.change_undo_webhooks,
    where: '/webhooks',
  },
  channel_added: { words: (name) => keptText(m.change_channel_added, { name }), ...channel },
  channel_changed: { words: (name) => keptText(m.change_channel_changed, { name }), ...channel },
  channel_removed: { words: (name) => keptText(m.change_channel_removed, { name }), ...channel },
  notifications_changed: { words: m.change_notifications, ...channel, where: '/notifications' },
  rule_created: { words: m.change_rule_created, ...rules },
  // With the agent whose budget was changed.
  rule_changed: {
    words: (name) => (name === '' ? m.change_rule_changed() : keptText(m.change_budget, { name })),
    ...rules,
  },
  rule_paused: { words: m.change_rule_paused, ...rules },
  rule_ended: { words: m.change_rule_ended, ...rules },
  everything_paused: { words: m.change_everything_paused, ...everything },
  everything_resumed: { words: m.change_everything_resumed, ...everything },
  rules_weakened: { words: m.change_rules_weakened, undo: m.change_undo_askers, where: '/profile#pecks' },
  name_changed: { words: (name) => keptText(m.change_name, { name }), ...names },
  name_taken_back: { words: (name) => keptText(m.change_name_back, { name }), ...names },
  handle_claimed: { words: (name) => keptText(m.change_handle_claimed, { name }), ...handle },
  handle_released: { words: (name) => keptText(m.change_handle_released, { name }), ...handle },
  sessions_ended: { words: m.change_sessions_ended, ...nothing },
  session_disowned: { words: m.change_session_disowned, ...nothing },
  device_allowed: { words: (name) => keptText(m.change_device_allowed, given(name)), ...devices },
  connections_ended: {
    words: m.change_connections_ended,
    undo: m.change_undo_agents,
    where: '/allowed#agents',
  },
  signed_on: {
    words: (name) => keptText(m.change_sign_in_started, given(name)),
    ...nothing,
  },
  site_allowed: {
    words: (name) => keptText(m.change_site_allowed, { name }),
    undo: m.change_undo_site,
    where: '/security#signed-in',
  },
  site_registered: { words: (name) => keptText(m.change_site_registered, { name }), ...ownSites },
  site_changed: { words: (name) => keptText(m.change_site_changed, { name }), ...ownSites },
  site_deleted: { words: (name) => keptText(m.change_site_deleted, { name }), ...ownSites },
  email_changed: { words: m.change_email, undo: m.change_undo_email, where: '/profile#email' },
  phone_changed: { words: m.change_phone, undo: m.change_undo_phone, where: '/security#tier' },
  passkey_added: {
    words: (name) => keptText(m.change_passkey_added, given(name)),
    undo: m.change_undo_passkey_added,
    where: '/security#passkeys',
  },
  passkey_removed: {
    words: (name) => keptText(m.change_passkey_removed, given(name)),
    undo: m.change_undo_passkey_removed,
    where: '/security#add-passkey',
  },
  approver_set: { words: m.change_approver_set, undo: m.change_undo_approver, where: '/security#approver' },
  approver_removal_requested: {
    words: m.change_approver_removal,
    undo: m.change_undo_approver_removal,
    where: '/security#approver',
  },
  approver_kept: {
    words: m.change_approver_kept,
    undo: m.change_undo_approver_kept,
    where: '/security#approver',
  },
}

/** A change that a newer version of the service stored. */
const unknown: ChangeOnPages = {
  words: m.change_unknown,
  undo: m.change_undo_activity,
  where: '/audit',
}

/** Returns what the pages say of a kind of change. */
export const changeOnPages = (change: string): ChangeOnPages =>
  Object.hasOwn(changes, change) ? changes[change as AnnouncedChange] : unknown

/** Returns a change in a few words, with what was changed. Begins with a small letter. */
export const changeWords = ({ change, name }: NamedChange): string =>
  changeOnPages(change).words(quotedChangeName(change, name, (text) => quoted(shortInTheMiddle(text))))

const [shownMax, shownStart, shownEnd] = [40, 14, 25]

/** Returns a long name without its middle: the end of a host says whose it is. */
function shortInTheMiddle(name: string): string {
  const characters = [...name]
  if (characters.length <= shownMax) return name
  return `${characters.slice(0, shownStart).join('')}…${characters.slice(-shownEnd).join('')}`
}

/** Returns words with a large letter at the beginning. */
export const atBeginning = (words: string): string => words.charAt(0).toLocaleUpperCase() + words.slice(1)
