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
      m.mail_newsletter_unwanted_note(),
      {
        small: [
          m.mail_newsletter_keep_note(),
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

/** Returns the mail with a support request. Quotes every line of the sender, so that it cannot look like text of the service. */
export function requestMessage(ticket: { id: string; email: string; message: string }): Omit<Message, 'to'> {
  return letter({
    kind: 'support_request',
    subject: m.mail_support_request_id({ id: ticket.id }),
    parts: [
      m.mail_email_writes({ email: ticket.email }),
      { quote: ticket.message },
      m.mail_reply_to_this_mail_to_answer(),
    ],
    replyTo: ticket.email,
  })
}

/** Returns the receipt for the sender. Does not repeat the message, because anybody can enter the address of somebody else. */
export function receiptMessage(ticketId: string): Omit<Message, 'to'> {
  return letter({
    kind: 'support_receipt',
    subject: m.mail_we_have_received_your_message({ ticketId }),
    parts: [m.mail_support_received_body({ ticketId }), m.mail_support_unwanted_note()],
  })
}
