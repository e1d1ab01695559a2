import type { Message } from './send'

/** Returns the mail with a support request. Quotes every line of the sender, so that it cannot look like text of the service. */
export function requestMessage(ticket: { id: string; email: string; message: string }): Omit<Message, 'to'> {
  const quoted = ticket.message
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n')
  return {
    kind: 'support_request',
    subject: `Support request ${ticket.id}`,
    text: `${ticket.email} writes:\n\n${quoted}\n\nReply to this mail to answer.\n`,
    replyTo: ticket.email,
  }
}

/** Returns the receipt for the sender. Does not repeat the message, because anybody can enter the address of somebody else. */
export function receiptMessage(ticketId: string): Omit<Message, 'to'> {
  return {
    kind: 'support_receipt',
    subject: `We have received your message (${ticketId})`,
    text: `Thank you for writing to Beak. Your message has the number ${ticketId}. We will answer to this address.\n\nIf you did not write to us, somebody entered your address by mistake. Then ignore this message.\n`,
  }
}
