/**
 * The mails that inform an account about events. Names and devices are text of others and go through `foreignText`, in subjects too. No notice
 * contains a code.
 */

import { quoted } from '@beak/decision/quote'
import type { NoticeName } from '@/lib/infrastructure/events/outbox'
import { config } from '@/lib/kernel/config'
import { m } from '@/lib/kernel/messages'
import { knownDevice } from '@/lib/kernel/request/device'
import { listWithAnd } from '@/lib/kernel/text/list-words'
import { removedKinds, removedLabels, settingWords } from '@/lib/kernel/text/removed-words'
import { changeAdvice, changeSentence, thingsChanged } from './changes'
import { endedList } from './ended-list'
import { foreignText, ownSentence } from './foreign-text'
import type { Part } from './parts'
import { fitting } from './peck-message'
import { type Facts, type Notice, ruleFacts, ruleNotices } from './rule-notices'
import { unguardedLink, unguardedSentence } from './unguarded-notice'

/** Returns the button that opens a page. */
const button = (label: () => string, path: string) => () => ({
  label: label(),
  url: `${config().baseUrl}${path}`,
})
const openSecurity = button(m.mail_open_security, '/security')
const contactSupport = button(m.mail_contact_support, '/support')
const signIn = button(m.mail_sign_in, '/signin')

const whenFact = (at: string): Part => ({ facts: [[m.mail_when(), at]] })
const device = (userAgent = '') =>
  knownDevice(userAgent) ?? (userAgent === '' ? m.mail_unknown_device() : foreignText(userAgent))

const deviceFacts = (shown: string, at: string, before: [string, string][] = []): Part => ({
  facts: [...before, [m.mail_device(), shown], [m.mail_when(), at]],
})

/** Returns what the undo of a change of address removed, and which changed settings stay. Names of agents may be those of a thief. */
function removedLists({ agent_names = '', settings = '', ...counts }: Facts): Part[] {
  const names = lines(agent_names).map(foreignText)
  const removed = removedKinds.flatMap((kind) => {
    const count = Number(counts[kind] ?? 0)
    if (count === 0) return []
    return `${removedLabels[kind]}: ${count}${kind === 'agents' ? ` (${listWithAnd(names)})` : ''}`
  })
  const changed = settingWords(lines(settings))
  return [
    ...(removed.length === 0 ? [] : [{ lead: m.mail_email_restored_list_lead(), list: removed }]),
    ...(changed.length === 0
      ? []
      : [m.mail_these_settings_were_changed_stay_changed({ changed: listWithAnd(changed) })]),
  ]
}

const lines = (text: string) => text.split('\n').filter(Boolean)

export const notices: Record<NoticeName, Notice> = {
  ...ruleNotices,
  signup_attempt: {
    urgency: 'stranger',
    subject: m.mail_signup_attempt_subject,
    event: () => m.mail_signup_attempt_body(),
    advice: m.mail_signup_attempt_advice,
    open: signIn,
  },
  new_device: {
    urgency: 'account',
    subject: m.mail_new_sign_in_to_your_account,
    event: ({ device: userAgent, name, at }) => {
      const shown =
        name === undefined ? device(userAgent) : m.mail_device_approved_with_code({ name: foreignText(name) })
      return [m.mail_new_device_body(), deviceFacts(shown, at)]
    },
  },
  passkey_added: {
    urgency: 'account',
    subject: m.mail_passkey_was_added_your_account,
    event: ({ name = '', device: userAgent, at }) => [
      m.mail_the_passkey_name_was_added({ name: foreignText(name) }),
      deviceFacts(device(userAgent), at),
    ],
    advice: m.mail_if_not_you_remove_passkey,
  },
  passkey_removed: {
    urgency: 'urgent',
    subject: m.mail_passkey_was_removed_from_your_account,
    event: ({ name = '', at }) => [m.mail_passkey_removed_at({ name: foreignText(name) }), whenFact(at)],
    advice: m.mail_add_passkey_advice,
  },
  approver_removed: {
    urgency: 'urgent',
    subject: m.mail_your_approver_was_removed,
    event: ({ at }) => m.mail_approver_your_account_was_removed_at({ at }),
    advice: m.mail_end_sessions_advice,
    open: openSecurity,
  },
  passkey_counter: {
    urgency: 'account',
    subject: m.mail_passkey_rejected_subject,
    event: ({ name = '', at }) => m.mail_sign_in_with_passkey_name_was({ name: foreignText(name), at }),
    advice: m.mail_passkey_rejected_advice,
    open: openSecurity,
  },
  key_rotated: {
    urgency: 'account',
    subject: m.mail_beak_key_agent_was_rotated,
    event: ({ agent = '', at }) => [m.mail_beak_key_rotated_at({ agent: foreignText(agent) }), whenFact(at)],
    advice: m.mail_key_rotated_advice,
  },
  certificate_revoked: {
    urgency: 'account',
    subject: m.mail_your_birth_certificate_was_revoked,
    event: ({ certificate = '', at }) => [m.mail_birth_certificate_revoked_at({ certificate }), whenFact(at)],
    advice: m.mail_certificate_revoked_advice,
  },
  email_changed: {
    urgency: 'urgent',
    subject: m.mail_email_address_your_account_was_changed,
    event: ({ at }) => m.mail_email_moved_away_body({ at }),
    advice: m.mail_contact_support_advice,
    open: contactSupport,
  },
  phone_changed: {
    urgency: 'account',
    subject: m.mail_phone_number_your_account_was_changed,
    event: ({ at }) => [m.mail_phone_verified_body(), whenFact(at)],
    advice: m.mail_phone_changed_advice,
  },
  code_failures: {
    urgency: 'account',
    subject: m.mail_wrong_codes_subject,
    event: ({ at }) => m.mail_wrong_codes_body({ at }),
    advice: m.mail_wrong_codes_advice,
    open: openSecurity,
  },
  account_closed: {
    urgency: 'urgent',
    subject: m.mail_your_account_was_closed,
    event: ({ at, ...ended }) => [m.mail_your_beak_account_was_closed_at({ at }), ...endedList(ended)],
    advice: m.mail_contact_support_advice,
    open: contactSupport,
  },
  account_closed_by_host: {
    urgency: 'urgent',
    subject: m.mail_your_account_was_closed,
    event: ({ at, ...ended }) => [m.mail_closed_by_host_body({ at }), ...endedList(ended)],
    advice: m.mail_if_you_did_not_ask_contact_support,
    open: contactSupport,
  },
  sessions_ended_by_host: {
    urgency: 'account',
    subject: m.mail_you_were_signed_out_everywhere,
    event: ({ at }) => m.mail_sessions_ended_host_body({ at }),
    advice: m.mail_sign_in_again_to_go_on,
    open: signIn,
  },
  account_suspended: {
    urgency: 'urgent',
    subject: m.mail_your_account_was_suspended,
    event: ({ at, reason }) =>
      reason === undefined
        ? m.mail_account_suspended_at({ at })
        : m.mail_account_suspended_at_because({ at, reason: quoted(reason) }),
    advice: m.mail_account_suspended_advice,
    open: contactSupport,
  },
  account_resumed: {
    urgency: 'urgent',
    subject: m.mail_your_account_works_again,
    event: ({ at }) => m.mail_account_resumed_body({ at }),
    advice: m.mail_sign_in_again_to_go_on,
    open: signIn,
  },
  webhook_disabled: {
    urgency: 'account',
    subject: m.mail_a_webhook_endpoint_was_switched_off,
    // Older rows have `url` instead of `endpoint`: the id, then the host. They have only `why`, which is in English.
    event: ({ endpoint: id, url = '', why = '', disabled_reason }) => {
      const endpoint = id ?? url.split(' ')[0] ?? ''
      if (disabled_reason === 'gone') return m.mail_webhook_switched_off_gone({ endpoint })
      if (disabled_reason === 'failing') return m.mail_webhook_switched_off_failing({ endpoint })
      return m.mail_webhook_disabled_body({ endpoint, why })
    },
    advice: m.mail_webhook_disabled_advice,
    open: button(m.mail_open_webhooks, '/webhooks'),
  },
  account_reclaimed: {
    urgency: 'urgent',
    subject: m.mail_address_reclaimed_subject,
    event: () => m.mail_address_reclaimed_body(),
    advice: m.mail_please_check_your_profile_you_need,
    open: openSecurity,
  },
  tier_lowered: {
    urgency: 'account',
    subject: m.mail_your_trust_tier_is_t1_again,
    event: ({ at }) => m.mail_tier_lowered_body({ at }),
    advice: m.mail_tier_lowered_advice,
    open: openSecurity,
  },
  email_restored: {
    urgency: 'urgent',
    subject: m.mail_email_address_your_account_was_restored,
    event: ({ at, ...removed }) => [m.mail_email_restored_body({ at }), ...removedLists(removed)],
    advice: m.mail_email_restored_advice,
    open: openSecurity,
  },
  email_restore_started: {
    urgency: 'urgent',
    subject: m.mail_email_restore_subject,
    event: ({ at, due }) => m.mail_email_undo_started_at({ at, due }),
    advice: m.mail_email_restore_cancel_advice,
    open: openSecurity,
  },
  email_restore_cancelled: {
    urgency: 'urgent',
    subject: m.mail_your_email_address_stays,
    event: ({ at }) => m.mail_email_restore_cancelled_body({ at }),
    advice: m.mail_end_sessions_advice,
    open: openSecurity,
  },
  recovery_cancelled: {
    urgency: 'urgent',
    subject: m.mail_your_passkeys_were_kept,
    event: ({ at }) => m.mail_removal_cancelled_body({ at }),
    advice: m.mail_removal_cancelled_advice,
    open: openSecurity,
  },
  passkeys_removed: {
    urgency: 'urgent',
    subject: m.mail_all_passkeys_removed,
    event: ({ at }) => m.mail_all_passkeys_removed_at({ at }),
    advice: m.mail_add_passkey_or_end_other_sessions,
    open: openSecurity,
  },
  sensitive_change: {
    urgency: 'change',
    subject: (facts) => {
      if (facts === undefined) return m.mail_your_account_was_changed()
      if (facts.change === 'approver_removal_requested') return m.mail_approver_will_be_removed()
      return fitting([
        changeSentence(facts.change, facts.name ?? '', foreignText).replace(/\.$/, ''),
        m.mail_your_account_was_changed(),
      ])
    },
    event: ({ change, name = '', device: userAgent, at, due, ...facts }) => [
      change === 'approver_removal_requested'
        ? m.mail_approver_removal_at({ due })
        : changeSentence(change, name, foreignText),
      deviceFacts(device(userAgent), at, ruleFacts(facts)),
    ],
    several: thingsChanged,
    advice: (facts) => changeAdvice(facts?.change),
  },
  service_restored: {
    urgency: 'account',
    subject: m.mail_service_was_restored_from_backup,
    event: ({ at, made_at: madeAt }) => m.mail_host_restored_this_service_at_at({ at, madeAt }),
    advice: m.mail_service_restored_advice,
    open: openSecurity,
  },
  connection_ended: {
    urgency: 'account',
    subject: m.mail_program_was_disconnected,
    event: ({ agent = '', at }) => m.mail_connection_ended_body({ agent: foreignText(agent), at }),
    advice: m.mail_connection_ended_advice,
    open: (facts) => ({
      label: m.mail_connect_it_again(),
      url: `${config().baseUrl}/agents/manage/${encodeURIComponent(facts?.agent_id ?? '')}`,
    }),
  },
  agent_unguarded: {
    urgency: 'account',
    subject: m.mail_agent_unguarded_subject,
    event: unguardedSentence,
    advice: m.mail_agent_unguarded_advice,
    open: unguardedLink,
  },
  log_continued: {
    urgency: 'account',
    subject: m.mail_transparency_log_begins_under_new_name,
    event: ({ at }) => m.mail_log_continued_body({ at }),
    advice: m.mail_log_continued_advice,
    open: button(m.mail_open_your_data, '/account'),
  },
  // Only for rows of earlier versions: `peck-message.ts` writes these mails now.
  peck_waiting: {
    urgency: 'account',
    subject: m.mail_request_is_waiting_for_your_answer,
    event: ({ summary = '' }) => ownSentence(summary),
    advice: m.mail_sign_in_approve_or_reject_it,
    open: button(m.mail_open_inbox, '/pecks'),
  },
}
