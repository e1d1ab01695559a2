import { z } from 'zod'
import { db } from '@/lib/db/client'
import { lockName, transaction } from '@/lib/db/transaction'
import { enqueue, type OutboxPayloads } from '@/lib/infrastructure/events/outbox'
import { receiptMessage, requestMessage } from '@/lib/infrastructure/mail/newsletter'
import { unknownReader, writeFor } from '@/lib/infrastructure/mail/reader'
import { sendMail } from '@/lib/infrastructure/mail/send'
import { sendUnsolicited } from '@/lib/infrastructure/mail/unsolicited'
import { config } from '@/lib/kernel/config'
import type { AnonymousContext } from '@/lib/kernel/request/context'
import { text } from '@/lib/kernel/request/fields'
import { hour, secondsAfter } from '@/lib/kernel/runtime/clock'
import { newId } from '@/lib/kernel/secrets/ids'
import { email } from '@/lib/kernel/typed/email'

/** Stores a support request and enqueues its mails. An address gets at most one receipt per hour. */
export async function contactSupport(
  context: AnonymousContext,
  request: { email: string; message: string },
): Promise<{ success: true; ticket_id: string }> {
  const { now } = context
  return transaction(async (tx) => {
    await lockName(tx, `support:${request.email}`)
    const recent = await tx.supportTicket.findFirst({
      where: { email: request.email, receipt: true, createdAt: { gt: secondsAfter(now, -hour) } },
      orderBy: { createdAt: 'desc' },
      select: { id: true },
    })
    const id = newId('ticket', now)
    const receipt = recent === null
    await tx.supportTicket.create({ data: { id, ...request, receipt, createdAt: now } })
    enqueue(tx, now, 'support', { ticket_id: id, letter: 'request' })
    if (receipt)
      enqueue(tx, now, 'support', {
        ticket_id: id,
        letter: 'receipt',
        language: context.readBrowser?.()?.language ?? null,
      })
    return { success: true, ticket_id: id }
  })
}

export const SupportRequest = z.strictObject({
  email,
  /** Line ends are normalized to LF. */
  message: z
    .string()
    .transform((value) => value.replace(/\r\n?/g, '\n'))
    .pipe(text(1, 5000))
    .meta({ type: 'string', minLength: 1, maxLength: 5000 }),
})

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
