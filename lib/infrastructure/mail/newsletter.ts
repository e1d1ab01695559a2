import { config } from '@/lib/kernel/config'
import { foreignText } from './foreign-text'
import type { Message } from './send'

function link(page: 'confirm' | 'unsubscribe', token: string): string {
  return `${config().baseUrl}/newsletter/${page}?token=${encodeURIComponent(token)}`
}

/** Asks the owner of an address whether they want to subscribe. Both links lead to a page with a button: opening does nothing. */
export function confirmMessage(token: string, partnerType: string | null): Omit<Message, 'to'> {
  const list =
    partnerType === null ? 'the Beak newsletter' : `the Beak partner list ${foreignText(partnerType)}`
  return {
    kind: 'newsletter_confirm',
    subject: 'Please confirm your subscription',
    text: `Somebody, hopefully you, asked us to put this address on ${list}. To confirm, open this page:\n\n${link('confirm', token)}\n\nIf it was not you, you can ignore this message: without your confirmation nothing is sent.\n\nKeep this message: here you can unsubscribe at any time:\n\n${link('unsubscribe', token)}\n`,
    unsubscribeUrl: link('unsubscribe', token),
  }
}

/** Tells somebody who is subscribed that they are. */
export function alreadySubscribedMessage(): Omit<Message, 'to'> {
  return {
    kind: 'newsletter_already',
    subject: 'You are already subscribed',
    text: 'Somebody, hopefully you, asked us to put this address on the Beak newsletter. It already is, so nothing needs to be done. If you no longer want it, use the unsubscribe link in the message with which you confirmed.\n',
  }
}
