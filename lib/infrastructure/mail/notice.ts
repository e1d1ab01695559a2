/**
 * The mails that inform an account about events. Names and devices are text of others and go through `foreignText`. Subjects do not
 * contain such text, and no notice contains a code or a link.
 */
import type { NoticeName } from '@/lib/infrastructure/events/outbox'
import { knownDevice } from '@/lib/kernel/device'
import { listWithAnd } from '@/lib/kernel/text/list-words'
import { quoted } from '@/lib/kernel/text/quote'
import { removedKinds, removedLabels, settingLabels } from '@/lib/kernel/text/removed-words'
import { changeSentence } from './changes'
import { foreignText, ownSentence } from './foreign-text'
import type { Message } from './send'
import type { MailUrgency } from './unsolicited'

type Facts = Record<string, string>

interface Notice {
  urgency: MailUrgency
  subject: string
  /** What happened, in one or two sentences. */
  event(facts: Facts): string
  /** What to do now. */
  advice: string
}

/** Formats a time of the facts in UTC, without seconds. */
export function time(at: string | undefined): string {
  return at === undefined ? 'an unknown time' : `${at.slice(0, 16).replace('T', ' ')} UTC`
}

const device = (userAgent = '') =>
  knownDevice(userAgent) ?? (userAgent === '' ? 'unknown' : foreignText(userAgent))

const endOtherSessions = 'sign in and end all other sessions on your security page'

/** Returns what the undo of a change of address removed, and which changed settings stay. Names of agents may be those of a thief. */
function removedLists({ agent_names = '', settings = '', ...counts }: Facts): string[] {
  const names = lines(agent_names).map(foreignText)
  const removed = removedKinds.flatMap((kind) => {
    const count = Number(counts[kind] ?? 0)
    if (count === 0) return []
    return `- ${removedLabels[kind]}: ${count}${kind === 'agents' ? ` (${listWithAnd(names)})` : ''}`
  })
  const changed = lines(settings).flatMap((event) => settingLabels[event] ?? [])
  return [
    ...(removed.length === 0
      ? []
      : [`We removed or stopped what was set up since the change:\n${removed.join('\n')}`]),
    ...(changed.length === 0
      ? []
      : [`These settings were changed and stay: ${listWithAnd(changed)}. Please check them.`]),
  ]
}

const lines = (text: string) => text.split('\n').filter(Boolean)

const notices: Record<NoticeName, Notice> = {
  signup_attempt: {
    urgency: 'stranger',
    subject: 'Somebody tried to sign up with your address',
    event: () =>
      'Somebody tried to create a Beak account with this email address, which already has an account. They got no access.',
    advice: 'If this was you, sign in instead. If this was not you, you need to do nothing.',
  },
  new_device: {
    urgency: 'account',
    subject: 'New sign-in to your account',
    event: ({ device: userAgent, name, at }) => {
      const shown = name === undefined ? device(userAgent) : `${foreignText(name)}, approved with a code`
      return `There was a sign-in to your account from a new device.\n\nDevice: ${shown}\nWhen: ${time(at)}`
    },
    advice: 'If this was not you, sign in and end this session on your security page.',
  },
  passkey_added: {
    urgency: 'account',
    subject: 'A passkey was added to your account',
    event: ({ name = '', at }) => `The passkey ${foreignText(name)} was added at ${time(at)}.`,
    advice: 'If this was not you, sign in and remove it on your security page.',
  },
  passkey_removed: {
    urgency: 'urgent',
    subject: 'A passkey was removed from your account',
    event: ({ name = '', at }) =>
      `The passkey ${foreignText(name)} was removed at ${time(at)}. It no longer works.`,
    advice: `If this was not you, ${endOtherSessions}.`,
  },
  approver_removed: {
    urgency: 'urgent',
    subject: 'Your approver was removed',
    event: ({ at }) => `The approver of your account was removed at ${time(at)}. Requests no longer need it.`,
    advice: `If this was not you, ${endOtherSessions}.`,
  },
  passkey_counter: {
    urgency: 'account',
    subject: 'A sign-in with your passkey was rejected',
    event: ({ name = '', at }) =>
      `A sign-in with the passkey ${foreignText(name)} was rejected at ${time(at)}, because its counter decreased. Somebody may have copied this passkey.`,
    advice: 'If you are not sure, sign in and remove this passkey on your security page.',
  },
  key_rotated: {
    urgency: 'account',
    subject: 'The beak key of an agent was rotated',
    event: ({ agent = '', at }) =>
      `The beak key of your agent ${foreignText(agent)} was rotated at ${time(at)}. The old key no longer works.`,
    advice: `If this was not you, ${endOtherSessions}, then rotate the key again.`,
  },
  certificate_revoked: {
    urgency: 'account',
    subject: 'Your birth certificate was revoked',
    event: ({ certificate, at }) =>
      `Your birth certificate ${certificate} was revoked at ${time(at)}. Everybody who checks it can see this.`,
    advice: `If this was not you, ${endOtherSessions}. You can get a new certificate at any time.`,
  },
  email_changed: {
    urgency: 'urgent',
    subject: 'The email address of your account was changed',
    event: ({ at }) =>
      `The email address of your Beak account was changed at ${time(at)}. This address no longer belongs to the account.`,
    advice: 'If this was not you, contact our support immediately.',
  },
  phone_changed: {
    urgency: 'account',
    subject: 'The phone number of your account was changed',
    event: ({ at }) => `A phone number was verified for your account at ${time(at)}.`,
    advice: `If this was not you, ${endOtherSessions}.`,
  },
  code_failures: {
    urgency: 'account',
    subject: 'Wrong codes were entered for your account',
    event: ({ at }) =>
      `Five wrong codes were entered for your account, the last one at ${time(at)}. The codes that we sent before no longer work.`,
    advice:
      'If this was you, ask for a new code. If this was not you, add a passkey: it is the safest way to sign in.',
  },
  account_closed: {
    urgency: 'urgent',
    subject: 'Your account was closed',
    event: ({ at }) =>
      `Your Beak account was closed at ${time(at)}. Your certificate is revoked, your agents are deregistered and all sessions have ended.`,
    advice: 'If this was not you, contact our support immediately.',
  },
  account_closed_by_host: {
    urgency: 'urgent',
    subject: 'Your account was closed',
    event: ({ at }) =>
      `The host of this service closed your Beak account at ${time(at)}. Your certificate is revoked, your agents are deregistered and all sessions have ended.`,
    advice: 'If you did not ask for this, contact our support.',
  },
  sessions_ended_by_host: {
    urgency: 'account',
    subject: 'You were signed out everywhere',
    event: ({ at }) => `The host of this service ended all sessions of your Beak account at ${time(at)}.`,
    advice: 'Sign in again to go on.',
  },
  account_suspended: {
    urgency: 'urgent',
    subject: 'Your account was suspended',
    event: ({ at, reason }) =>
      `The host of this service suspended your Beak account at ${time(at)}${reason === undefined ? '' : `. The host wrote: ${quoted(reason)}`}. You and your agents cannot use it until the host resumes it. Nothing is deleted.`,
    advice: 'If you do not know why, contact our support.',
  },
  account_resumed: {
    urgency: 'urgent',
    subject: 'Your account works again',
    event: ({ at }) =>
      `The host of this service resumed your Beak account at ${time(at)}. Your agents and permissions work again, and requests that came meanwhile wait for you.`,
    advice: 'Sign in again to go on.',
  },
  webhook_disabled: {
    urgency: 'account',
    subject: 'A webhook endpoint was switched off',
    // Older rows have `url` instead of `endpoint`: the id, then the host.
    event: ({ endpoint, url = '', why }) =>
      `We switched off your webhook endpoint ${endpoint ?? url.split(' ')[0]} because ${why}.`,
    advice: 'Check that your server responds, then switch the endpoint on again on your webhooks page.',
  },
  account_reclaimed: {
    urgency: 'urgent',
    subject: 'We removed what somebody else set up with your address',
    event: () =>
      'Before you verified this address, somebody else used it for a Beak account. We ended their sessions and removed their passwords, passkeys, agents and webhooks.',
    advice: 'Please check your profile. You need to do nothing else.',
  },
  tier_lowered: {
    urgency: 'account',
    subject: 'Your trust tier is T1 again',
    event: ({ at }) =>
      `Your phone number was verified for another account at ${time(at)}. We removed it from your account, which is at trust tier T1 again.`,
    advice: 'To reach T2 again, sign in and verify a phone number on your security page.',
  },
  email_restored: {
    urgency: 'urgent',
    subject: 'The email address of your account was restored',
    event: ({ at, ...removed }) =>
      [
        `A change of your email address was undone at ${time(at)}. Your Beak account has this address again, and all sessions have ended.`,
        ...removedLists(removed),
      ].join('\n\n'),
    advice:
      'Sign in with a code. Your security page shows what was removed, and lets you keep single agents and webhooks.',
  },
  email_restore_started: {
    urgency: 'urgent',
    subject: 'Your earlier email address will be restored',
    event: ({ at, due }) =>
      `At ${time(at)} somebody used the link that undoes the change of your email address. Your earlier address gets the account back at ${time(due)}, unless you cancel it.`,
    advice:
      'If this was not you, sign in and cancel it on your security page, with a passkey that you had before the change.',
  },
  email_restore_cancelled: {
    urgency: 'urgent',
    subject: 'Your email address stays',
    event: ({ at }) => `The undo of the change of your email address was cancelled at ${time(at)}.`,
    advice: `If this was not you, ${endOtherSessions}.`,
  },
  recovery_cancelled: {
    urgency: 'urgent',
    subject: 'Your passkeys were kept',
    event: ({ at }) => `The removal of all your passkeys was cancelled at ${time(at)}.`,
    advice: `If you did not ask for the removal, ${endOtherSessions}.`,
  },
  passkeys_removed: {
    urgency: 'urgent',
    subject: 'All passkeys of your account were removed',
    event: ({ at }) =>
      `All passkeys of your account were removed at ${time(at)}. Somebody asked for this a day earlier.`,
    advice: `Sign in with a code and add a new passkey. If you did not ask for the removal, ${endOtherSessions}.`,
  },
  sensitive_change: {
    urgency: 'urgent',
    subject: 'Your account was changed',
    event: ({ change, name = '', device: userAgent, at }) =>
      `${changeSentence(change, foreignText(name))}\n\nDevice: ${device(userAgent)}\nWhen: ${time(at)}`,
    advice: `If this was not you, ${endOtherSessions}, and undo it there.`,
  },
  service_restored: {
    urgency: 'account',
    subject: 'The service was restored from a backup',
    event: ({ at, made_at: madeAt }) =>
      `The host restored this service at ${time(at)} from a backup of ${time(madeAt)}. What happened in between is lost. Everybody was signed out, permissions ended, waiting requests were cancelled, and agents are suspended.`,
    advice:
      'Sign in and look at your settings, passkeys and agents: each is as it was when the backup was made. Repeat what you changed since, above all a key or a passkey that you replaced because somebody else had it. Then resume the agents that you use.',
  },
  log_continued: {
    urgency: 'account',
    subject: 'The transparency log begins under a new name',
    event: ({ at }) =>
      `The transparency log of this service was damaged, and some of its newest entries are lost. It goes on under a new name since ${time(at)}. The new log names the last checkpoint of the old one. Your account and your permissions have not changed because of this.`,
    advice:
      'Keep the checkpoints, proofs and exports that you saved: they still prove what the old log said. Then download a new export on your account page and compare it with them.',
  },
  // Only for rows of earlier versions: `peck-message.ts` writes these mails now.
  peck_waiting: {
    urgency: 'account',
    subject: 'A request is waiting for your answer',
    event: ({ summary = '' }) => ownSentence(summary),
    advice: 'Sign in to approve or reject it.',
  },
}

/** Whether this version can write a notice. A newer one may have enqueued it. */
export function isKnownNotice(notice: string): boolean {
  return Object.hasOwn(notices, notice)
}

/** Returns the urgency of a notice, which decides its share of the mails of a day. */
export function noticeUrgency(notice: NoticeName): MailUrgency {
  return notices[notice].urgency
}

/**
 * Returns the mail about `count` events of one kind. `items` are the facts of the first events, which the mail describes one by one.
 */
export function noticeMessage(notice: NoticeName, items: Facts[], count = items.length): Omit<Message, 'to'> {
  const { subject, event, advice } = notices[notice]
  const sentences = items.map(event)
  const text = count === 1 && sentences[0] !== undefined ? sentences[0] : numbered(sentences, count)
  return { kind: notice, subject, text: `${text}\n\n${advice}\n` }
}

function numbered(sentences: string[], count: number): string {
  const times = `This happened ${count} times`
  if (sentences.length === 0) return `${times}.`
  const lead = sentences.length < count ? `${times}. The first ${sentences.length}:` : `${times}:`
  return [lead, ...sentences.map((event, index) => `${index + 1}. ${event.replaceAll(/\n+/g, ' ')}`)].join(
    '\n\n',
  )
}
