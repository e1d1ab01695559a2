import { config } from '@/lib/kernel/config'
import { m } from '@/lib/kernel/messages'
import { letter } from './letter'
import { type Reader, timeFor } from './reader'
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
    kind: 'email_changed',
    subject: m.mail_email_address_your_account_was_changed(),
    parts: [
      m.mail_email_changed_at({ at: timeFor(reader, at) }),
      m.mail_if_you_nothing_to_do(),
      m.mail_if_not_you_restore_before({ until: timeFor(reader, until) }),
      ...(waits ? [m.mail_passkey_account_confirmed_change_so_address()] : []),
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
      kind: 'sign_in_link_made',
      subject: m.mail_host_made_sign_in_link_for(),
      parts: [
        m.mail_host_made_link_at({
          at: timeFor(reader, at),
          due: timeFor(reader, due),
        }),
        m.mail_if_you_asked_host_for_it(),
        m.mail_if_you_did_not_ask_keep_passkeys(),
        keep,
      ],
    })
  return letter({
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
