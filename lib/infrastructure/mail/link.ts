import type { OutboxPayloads } from '@/lib/infrastructure/events/outbox'
import { config } from '@/lib/kernel/config'
import { m } from '@/lib/kernel/messages'
import { letter } from './letter'
import { type Reader, timeFor, zonedTimeFor } from './reader'
import type { Message } from './send'

function link(page: 'email-undo' | 'keep-passkeys', token: string): string {
  return `${config().baseUrl}/${page}?token=${encodeURIComponent(token)}`
}

/** Returns the mail to the old address of an account, with a link that undoes the change. Opening the link does nothing. */
export function undoEmailMessage(
  token: string,
  { at, until, waits }: { at: Date; until: Date; waits: boolean },
  reader: Reader,
): Omit<Message, 'to'> {
  return letter({
    reader,
    kind: 'email_changed',
    subject: m.mail_email_address_your_account_was_changed(),
    parts: [
      m.mail_email_changed_at({ at: timeFor(reader, at) }),
      m.mail_if_you_nothing_to_do(),
      m.mail_if_not_you_restore_before({ until: timeFor(reader, until) }),
      ...(waits ? [m.mail_email_restore_delay_note()] : []),
      { label: m.mail_restore_this_address(), url: link('email-undo', token) },
    ],
  })
}

/** Returns the mail before the removal of all passkeys, with a link that cancels it. Opening the link does nothing. */
export function recoveryMessage(
  token: string,
  { at, due, byHost }: { at: Date; due: Date; byHost: boolean },
  reader: Reader,
): Omit<Message, 'to'> {
  const keep = { label: m.mail_keep_my_passkeys(), url: link('keep-passkeys', token) }
  if (byHost)
    return letter({
      reader,
      kind: 'sign_in_link_made',
      subject: m.mail_sign_in_link_subject(),
      parts: [
        m.mail_host_made_link_at({
          at: timeFor(reader, at),
          due: timeFor(reader, due),
        }),
        m.mail_sign_in_link_expected(),
        m.mail_if_you_did_not_ask_keep_passkeys(),
        keep,
      ],
    })
  return letter({
    reader,
    kind: 'recovery_started',
    subject: m.mail_your_passkeys_will_be_removed(),
    parts: [
      m.mail_passkeys_removal_asked_at({
        at: timeFor(reader, at),
        due: timeFor(reader, due),
      }),
      m.mail_if_you_nothing_to_do(),
      m.mail_if_not_you_keep_passkeys(),
      keep,
    ],
  })
}

export type TextNotice = OutboxPayloads['text' | 'text_since_0_3']['notice']

const texts: Record<TextNotice, [at: (values: { due: string }) => string, withoutTime: () => string]> = {
  approver_removal: [m.mail_sms_approver_removal_at, m.mail_sms_approver_removal],
  link_made: [m.mail_sms_sign_in_link_at, m.mail_sms_sign_in_link],
  recovery_started: [m.mail_sms_passkeys_removal_at, m.mail_sms_passkeys_removal],
}

/** Returns the text message of a notice. It contains no code, no link and no text of others. `due`: rows of earlier versions have none. */
export function textMessage(
  notice: TextNotice,
  { due, reader }: { due: Date | null; reader: Reader },
): Omit<Message, 'to'> {
  const [at, withoutTime] = texts[notice]
  const text = due === null ? withoutTime() : at({ due: zonedTimeFor(reader, due) })
  return { kind: `${notice}_text`, subject: null, text }
}

/** Whether this version has the text of a notice. A newer one may have enqueued it. */
export function isKnownText(notice: string): boolean {
  return Object.hasOwn(texts, notice)
}
