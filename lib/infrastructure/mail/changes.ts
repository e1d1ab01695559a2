import { config } from '@/lib/kernel/config'
import { m } from '@/lib/kernel/messages'
import type { CodePurpose } from './kinds'
import { letter } from './letter'
import type { Message } from './send'

/** The sensitive changes that an account is told about, in sentences of mails. `name` is the quoted name of an agent, or the id of an endpoint. */
const changes = {
  agent_registered: (name) => m.mail_the_agent_name_was_registered({ name }),
  agent_prepared: (name) => m.mail_change_agent_prepared({ name }),
  agent_resumed: (name) => m.mail_the_agent_name_was_resumed({ name }),
  agent_may_more: (name) => m.mail_change_agent_may_more({ name }),
  guard_alarms_off: (name) => m.mail_change_guard_alarms_off({ name }),
  key_in_addresses: (name) => m.mail_key_agent_name_is_accepted_in({ name }),
  webhook_created: (name) => m.mail_the_webhook_endpoint_name_was_created({ name }),
  webhook_prepared: (name) => m.mail_change_webhook_prepared({ name }),
  webhook_changed: (name) => m.mail_the_webhook_endpoint_name_was_changed({ name }),
  webhook_deleted: (name) => m.mail_the_webhook_endpoint_name_was_deleted({ name }),
  webhook_secret_changed: (name) => m.mail_webhook_endpoint_name_has_new_secret({ name }),
  channel_added: (name) => m.mail_channel_name_was_added({ name }),
  channel_changed: (name) => m.mail_channel_name_was_changed({ name }),
  channel_removed: (name) => m.mail_channel_name_was_removed({ name }),
  handshake_made: (name) => m.mail_new_handshake_for_agent_name_was({ name }),
  rule_created: () => m.mail_change_rule_created(),
  // With the agent whose budget was changed.
  rule_changed: (name) =>
    name === '' ? m.mail_change_rule_changed() : m.mail_change_budget_changed({ name }),
  rule_paused: () => m.mail_rule_was_paused(),
  rule_ended: () => m.mail_rule_was_ended(),
  everything_paused: () => m.mail_change_everything_paused(),
  everything_resumed: () => m.mail_change_everything_resumed(),
  rules_weakened: () => m.mail_rules_for_requests_you_were_loosened(),
  name_changed: (name) => m.mail_your_name_was_changed_name_take({ name }),
  name_taken_back: (name) => m.mail_change_your_name_was_taken_back({ name }),
  handle_claimed: (name) => m.mail_your_handle_is_name_now({ name }),
  handle_released: (name) => m.mail_your_handle_name_was_released_nobody({ name }),
  notifications_changed: () => m.mail_settings_your_notifications_were_changed(),
  sessions_ended: () => m.mail_other_sessions_of_yours_were_ended(),
  connections_ended: () => m.mail_change_connections_ended(),
  session_disowned: () => m.mail_change_session_disowned(),
  signed_on: () => m.mail_change_signed_on(),
  site_allowed: () => m.mail_change_site_allowed(),
  site_registered: () => m.mail_change_site_registered(),
  site_changed: () => m.mail_change_site_changed(),
  site_deleted: () => m.mail_change_site_deleted(),
  // Each of these has a mail of its own.
  device_allowed: (name) => m.mail_device_name_was_allowed_sign_in({ name }),
  email_changed: () => m.mail_the_email_address_was_changed(),
  key_rotated: (name) => m.mail_agent_name_has_new_key({ name }),
  passkey_added: (name) => m.mail_the_passkey_name_was_added({ name }),
  passkey_removed: (name) => m.mail_the_passkey_name_was_removed({ name }),
  // Without its address: mails have no links that others chose.
  approver_set: () => m.mail_change_approver_set(),
  approver_removal_requested: () => m.mail_change_approver_removal(),
  approver_kept: () => m.mail_your_approver_stays(),
  phone_changed: () => m.mail_the_phone_number_was_changed(),
} satisfies Record<string, (name: string) => string>

export type AnnouncedChange = keyof typeof changes

/** Changes of who can sign in or approve. One of them is enough to take an account away from its owner. */
export const takeovers = [
  'passkey_added',
  'passkey_removed',
  'email_changed',
  'phone_changed',
  'device_allowed',
  'approver_set',
  'approver_removal_requested',
] as const satisfies AnnouncedChange[]

/** Changes after which there is nothing to undo in the settings. */
const final: ReadonlySet<string> = new Set<AnnouncedChange>([
  'rule_ended',
  'sessions_ended',
  'connections_ended',
  'session_disowned',
  'signed_on',
  'approver_kept',
  'handle_released',
])

/** Returns what to do about a change once the device is signed out. Undefined: nothing. */
export function changeAdvice(change = ''): string | undefined {
  if (change === 'approver_removal_requested') return m.mail_approver_kept_advice()
  return final.has(change) ? undefined : m.mail_account_changed_advice()
}

/** What stands above several changes. */
export const thingsChanged = {
  none: m.mail_things_changed,
  all: m.mail_things_changed_all,
  first: m.mail_things_changed_first,
}

/** Between the sides of a changed name: no name has these signs. */
const betweenNames = /( → |, )/

/** A change of which the account is told, with the name of what was changed. */
export interface NamedChange {
  change: string
  name: string
}

/** Returns the name of a change, quoted by `quote`. Each side of a changed name is quoted on its own: a quotation may be shortened. */
export function quotedChangeName(change: string, name: string, quote: (text: string) => string): string {
  if (change !== 'name_changed' && change !== 'name_taken_back') return name === '' ? '' : quote(name)
  return name
    .split(betweenNames)
    .map((part, index) => (index % 2 === 1 ? part : quote(part)))
    .join('')
}

/** Returns a change in a sentence. `name` is quoted by `quote`. */
export function changeSentence(
  change: string | undefined,
  name: string,
  quote: (text: string) => string,
): string {
  const sentence = changes[change as AnnouncedChange] as ((name: string) => string) | undefined
  if (change === undefined || sentence === undefined) return m.mail_account_changed_in_some_way()
  return sentence(quotedChangeName(change, name, quote))
}

const texts = {
  signup: {
    subject: m.mail_your_code_for_beak,
    lead: m.mail_welcome_code_lead,
  },
  verify_email: {
    subject: m.mail_your_code_for_beak,
    lead: m.mail_email_verify_code_lead,
  },
  signin: {
    subject: m.mail_your_sign_in_code_for_beak,
    lead: m.mail_enter_this_code_to_sign_in,
  },
  email_change: {
    subject: m.mail_confirm_your_new_email_address,
    lead: m.mail_email_change_code_lead,
  },
} satisfies Record<CodePurpose, { subject: () => string; lead: () => string }>

const host = () => new URL(config().baseUrl).host

/** Returns the message with a code. The code is its only group of six digits. */
export function codeMessage(purpose: CodePurpose | 'phone', code: string): Omit<Message, 'to'> {
  if (purpose === 'phone')
    return { kind: 'phone_code', subject: null, text: m.mail_code_text_message({ code, host: host() }) }
  const { subject, lead } = texts[purpose]
  return letter({
    kind: `${purpose}_code`,
    subject: subject(),
    parts: [lead(), { code }, m.mail_code_validity_note({ host: host() }), m.mail_code_unwanted_note()],
  })
}
