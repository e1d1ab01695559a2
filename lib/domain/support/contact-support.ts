import { lockName, transaction } from '@/lib/db/transaction'
import { enqueue } from '@/lib/infrastructure/events/outbox'
import { hour, secondsAfter } from '@/lib/kernel/clock'
import type { AnonymousContext } from '@/lib/kernel/context'
import { newId } from '@/lib/kernel/ids'

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
