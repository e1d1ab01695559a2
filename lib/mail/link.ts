import { config } from '@/lib/kernel/config'
import { noticeMessage } from './notice'
import type { Message } from './send'

function link(page: 'email-undo' | 'keep-passkeys', token: string): string {
  return `${config().baseUrl}/${page}?token=${encodeURIComponent(token)}`
}

/** Tells an address that an account has left it, with a link that brings the account back. Opening the link does nothing. */
export function undoEmailMessage(
  token: string,
  { at, until }: { at: string; until: string },
): Omit<Message, 'to'> {
  return {
    kind: 'email_changed',
    subject: 'The e-mail address of your account was changed',
    text: `At ${at} the e-mail address of your Beak account was changed. This address no longer belongs to it.\n\nIf this was you, nothing needs to be done.\n\nIf this was not you, open this page before ${until} and press the button. It gives your account this address back and ends all its sessions:\n\n${link('email-undo', token)}\n`,
  }
}

/** Tells that all passkeys will be removed, with a link that cancels this. Opening the link does nothing. */
export function recoveryMessage(token: string, facts: { at: string; due: string }): Omit<Message, 'to'> {
  const notice = noticeMessage('recovery_started', facts)
  return {
    ...notice,
    text: `${notice.text}\nIf this was you, nothing needs to be done.\n\nIf this was not you, open this page and press the button to keep your passkeys:\n\n${link('keep-passkeys', token)}\n`,
  }
}
