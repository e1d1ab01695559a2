import { db } from '@/lib/db/client'
import type { OutboxPayloads } from '@/lib/infrastructure/events/outbox'
import { unknownReader, writeFor } from '@/lib/infrastructure/mail/reader'
import { sendMail } from '@/lib/infrastructure/mail/send'
import { receiptMessage, requestMessage } from '@/lib/infrastructure/mail/support'
import { sendUnsolicited } from '@/lib/infrastructure/mail/unsolicited'
import { config } from '@/lib/kernel/config'

/** Mails a support request to the support address, or its receipt to the sender. Separate jobs, so that a retry sends only one. */
export async function sendSupport(
  { ticket_id, letter, language = null }: OutboxPayloads['support'],
  now: Date,
): Promise<void> {
  const ticket = await db().supportTicket.findUnique({ where: { id: ticket_id } })
  if (!ticket) return
  if (letter === 'request') await sendMail({ ...requestMessage(ticket), to: config().supportEmail })
  else {
    const receipt = writeFor({ ...unknownReader, readerLanguage: language }, () => receiptMessage(ticket.id))
    await sendUnsolicited({ ...receipt, to: ticket.email }, 'stranger', now)
  }
}
