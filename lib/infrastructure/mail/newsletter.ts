import { config } from '@/lib/kernel/config'
import { foreignText } from './foreign-text'
import type { Message } from './send'

function link(page: 'confirm' | 'unsubscribe', token: string): string {
  return `${config().baseUrl}/newsletter/${page}?token=${encodeURIComponent(token)}`
}

/** Asks the owner of an address to confirm the subscription. Both links open a page with a button. Opening a link does nothing. */
export function confirmMessage(token: string, partnerType: string | null): Omit<Message, 'to'> {
  const list =
    partnerType === null ? 'the Beak newsletter' : `the Beak partner list ${foreignText(partnerType)}`
  return {
    kind: 'newsletter_confirm',
    subject: 'Please confirm your subscription',
    text: `Somebody, hopefully you, asked us to add this address to ${list}. To confirm, open this page:\n\n${link('confirm', token)}\n\nIf it was not you, ignore this message. We send nothing without your confirmation.\n\nKeep this message. You can unsubscribe at any time on this page:\n\n${link('unsubscribe', token)}\n`,
    unsubscribeUrl: link('unsubscribe', token),
  }
}

/** Tells a subscriber that they are already subscribed. */
export function alreadySubscribedMessage(): Omit<Message, 'to'> {
  return {
    kind: 'newsletter_already',
    subject: 'You are already subscribed',
    text: 'Somebody, hopefully you, asked us to add this address to the Beak newsletter. You are already subscribed and need to do nothing. To unsubscribe, use the link in the message with which you confirmed your subscription.\n',
  }
}
