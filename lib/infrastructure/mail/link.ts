import { config } from '@/lib/kernel/config'
import { time } from './notice'
import type { Message } from './send'

function link(page: 'email-undo' | 'keep-passkeys', token: string): string {
  return `${config().baseUrl}/${page}?token=${encodeURIComponent(token)}`
}

/** Returns the mail to the old address of an account, with a link that undoes the change. Opening the link does nothing. */
export function undoEmailMessage(
  token: string,
  { at, until, waits }: { at: string; until: string; waits: boolean },
): Omit<Message, 'to'> {
  const delay = waits
    ? 'A passkey of the account confirmed the change. So the address is restored a day after you press the button, and the owner of that passkey can cancel it.\n\n'
    : ''
  return {
    kind: 'email_changed',
    subject: 'The email address of your account was changed',
    text: `At ${time(at)} the email address of your Beak account was changed. This address no longer belongs to the account.\n\nIf this was you, you need to do nothing.\n\nIf this was not you, open this page before ${time(until)} and press the button. It restores this address, ends all sessions of the account, and removes or suspends what was set up since the change.\n\n${delay}${link('email-undo', token)}\n`,
  }
}

/** Returns the mail before the removal of all passkeys, with a link that cancels it. Opening the link does nothing. */
export function recoveryMessage(
  token: string,
  { at, due, byHost }: { at: string; due: string; byHost: boolean },
): Omit<Message, 'to'> {
  if (byHost)
    return {
      kind: 'sign_in_link_made',
      subject: 'The host made a sign-in link for your account',
      text: `At ${time(at)} the host of this service made a link that signs in to your Beak account. It works from ${time(due)} on, and all passkeys of the account are removed then, unless you cancel it.\n\nIf you asked the host for it, you need to do nothing.\n\nIf you did not ask for it, open this page and press the button. The link does not work then, and your passkeys stay:\n\n${link('keep-passkeys', token)}\n`,
    }
  return {
    kind: 'recovery_started',
    subject: 'Your passkeys will be removed',
    text: `At ${time(at)} somebody asked to remove all passkeys of your Beak account. They will be removed at ${time(due)} unless you cancel it.\n\nIf this was you, you need to do nothing.\n\nIf this was not you, open this page and press the button to keep your passkeys:\n\n${link('keep-passkeys', token)}\n`,
  }
}
