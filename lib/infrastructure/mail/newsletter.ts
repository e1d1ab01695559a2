import { config } from '@/lib/kernel/config'
import { m } from '@/lib/kernel/messages'
import { foreignText } from './foreign-text'
import { letter } from './letter'
import type { Message } from './send'

function link(page: 'confirm' | 'unsubscribe', token: string): string {
  return `${config().baseUrl}/newsletter/${page}?token=${encodeURIComponent(token)}`
}

/** Asks the owner of an address to confirm the subscription. Both links open a page with a button. Opening a link does nothing. */
export function confirmMessage(token: string, partnerType: string | null): Omit<Message, 'to'> {
  return letter({
    kind: 'newsletter_confirm',
    subject: m.mail_please_confirm_your_subscription(),
    parts: [
      partnerType === null
        ? m.mail_confirm_newsletter()
        : m.mail_confirm_partner_list({ name: foreignText(partnerType) }),
      { label: m.mail_confirm_the_subscription(), url: link('confirm', token) },
      m.mail_if_it_was_not_you_ignore(),
      {
        small: [
          m.mail_keep_this_message_you_can_unsubscribe(),
          { label: m.mail_unsubscribe(), url: link('unsubscribe', token) },
        ],
      },
    ],
    unsubscribeUrl: link('unsubscribe', token),
  })
}

/** Tells a subscriber that they are already subscribed. */
export function alreadySubscribedMessage(): Omit<Message, 'to'> {
  return letter({
    kind: 'newsletter_already',
    subject: m.mail_you_are_already_subscribed(),
    parts: [m.mail_already_on_newsletter(), m.mail_unsubscribe_with_link_of_confirmation()],
  })
}
