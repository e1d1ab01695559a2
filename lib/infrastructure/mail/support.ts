import type { Message } from './send'

/** A support request as we get it. The sender's words are quoted line by line, so that nothing in them passes for ours. */
export function requestMessage(ticket: { id: string; email: string; message: string }): Omit<Message, 'to'> {
  const quoted = ticket.message
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n')
  return {
    kind: 'support_request',
    subject: `Support request ${ticket.id}`,
    text: `${ticket.email} writes:\n\n${quoted}\n\nAnswer this mail to write to them.\n`,
    replyTo: ticket.email,
  }
}

/** Tells the sender that we have it. Says nothing of what was written: anybody can name any address as the sender's. */
export function receiptMessage(ticketId: string): Omit<Message, 'to'> {
  return {
    kind: 'support_receipt',
    subject: `We have received your message (${ticketId})`,
    text: `Thank you for writing to Beak. Your message has arrived as ${ticketId}; we will answer to this address.\n\nIf you did not write to us, somebody gave your address by mistake, and you can ignore this message.\n`,
  }
}
