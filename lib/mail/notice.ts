import type { NoticeName } from '@/lib/events/outbox'
import type { Message } from './send'

type Facts = Record<string, string>

const notices: Record<NoticeName, (facts: Facts) => { subject: string; text: string }> = {
  signup_attempt: () => ({
    subject: 'Somebody tried to sign up with your address',
    text: 'Somebody tried to make a Beak account with this e-mail address, which already has one. If it was you, sign in instead. If not, nothing needs to be done: they have got no access.',
  }),
  new_device: ({ device, at }) => ({
    subject: 'New sign-in to your account',
    text: `Your account was signed in to from a device we have not seen before.\n\nDevice: ${device}\nWhen: ${at}\n\nIf this was not you, sign in and end that session.`,
  }),
  passkey_added: ({ name, at }) => ({
    subject: 'A passkey was added to your account',
    text: `The passkey "${name}" was added at ${at}. If this was not you, sign in and remove it.`,
  }),
  passkey_removed: ({ name, at }) => ({
    subject: 'A passkey was removed from your account',
    text: `The passkey "${name}" was removed at ${at}. It can no longer sign in. If this was not you, sign in and end all other sessions.`,
  }),
  passkey_counter: ({ name, at }) => ({
    subject: 'A sign-in with your passkey was refused',
    text: `A sign-in with the passkey "${name}" at ${at} was refused because its counter went backwards, which can mean that it was copied. If you are not sure, remove that passkey.`,
  }),
  key_rotated: ({ agent, at }) => ({
    subject: 'The beak key of an agent was rotated',
    text: `The beak key of your agent "${agent}" was rotated at ${at}. The old key stopped working at that moment.`,
  }),
  certificate_revoked: ({ certificate, at }) => ({
    subject: 'Your birth certificate was revoked',
    text: `Your birth certificate ${certificate} was revoked at ${at}. Everybody who checks it is told so.`,
  }),
  email_changed: ({ at }) => ({
    subject: 'The e-mail address of your account was changed',
    text: `At ${at} the e-mail address of your Beak account was changed. This address no longer belongs to it. If this was not you, write to us at once.`,
  }),
  phone_changed: ({ at }) => ({
    subject: 'A phone number was added to your account',
    text: `At ${at} a phone number was verified for your account. If this was not you, sign in and end all other sessions.`,
  }),
  code_failures: ({ at }) => ({
    subject: 'Wrong codes were tried on your account',
    text: `Five wrong codes were entered for your account, the last at ${at}. The codes sent so far no longer work. If it was you, ask for a new one. If not, a passkey is the safest way to sign in.`,
  }),
  account_closed: ({ at }) => ({
    subject: 'Your account is closed',
    text: `Your Beak account was closed at ${at}. Your certificate is revoked, your agents are deregistered and all sessions have ended.`,
  }),
  webhook_disabled: ({ url, why }) => ({
    subject: 'A webhook endpoint was switched off',
    text: `We switched off your webhook endpoint ${url}: ${why}. You can switch it on again once it answers.`,
  }),
  account_reclaimed: () => ({
    subject: 'We removed what somebody else had set up with your address',
    text: 'Before you proved that this address is yours, somebody else had used it for a Beak account. Their sessions have ended, and their passwords, passkeys, agents and webhooks are removed.',
  }),
  tier_lowered: ({ at }) => ({
    subject: 'Your trust tier is T1 again',
    text: `At ${at} your phone number was verified for another account, so your account is at trust tier T1 again. Verify a number of your own to reach T2.`,
  }),
  email_restored: ({ at }) => ({
    subject: 'The e-mail address of your account was restored',
    text: `At ${at} a change of e-mail address was undone: this is the address of your Beak account again. All sessions have ended. Sign in with a code.`,
  }),
  recovery_started: ({ at, due }) => ({
    subject: 'Your passkeys will be removed',
    text: `At ${at} somebody asked to remove all passkeys of your account. This happens at ${due} unless you cancel it.`,
  }),
  recovery_cancelled: ({ at }) => ({
    subject: 'Your passkeys stay',
    text: `The removal of your passkeys was cancelled at ${at}.`,
  }),
  passkeys_removed: ({ at }) => ({
    subject: 'All passkeys of your account were removed',
    text: `At ${at} all passkeys of your account were removed, as was asked for a day before. Sign in with a code and add a new passkey.`,
  }),
  peck_waiting: ({ summary }) => ({
    subject: 'A request is waiting for your answer',
    text: `${summary}\n\nSign in to approve or reject it.`,
  }),
}

/** The mail of a notice. Facts are our own words or the account's; they hold no codes and no links. */
export function noticeMessage(notice: NoticeName, facts: Facts): Omit<Message, 'to'> {
  const { subject, text } = notices[notice](facts)
  return { kind: notice, subject, text: `${text}\n` }
}
