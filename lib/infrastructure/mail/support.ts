import { m } from '@/lib/kernel/messages'
import { letter } from './letter'
import type { Message } from './send'

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
    parts: [m.mail_thank_you_for_writing_beak_your({ ticketId }), m.mail_if_you_did_not_write_us()],
  })
}
