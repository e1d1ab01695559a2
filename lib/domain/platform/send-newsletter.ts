import { transaction } from '@/lib/db/transaction'
import type { OutboxPayloads } from '@/lib/infrastructure/events/outbox'
import { alreadySubscribedMessage, confirmMessage } from '@/lib/infrastructure/mail/newsletter'
import type { Message } from '@/lib/infrastructure/mail/send'
import { writeUnsolicited } from '@/lib/infrastructure/mail/unsolicited'
import { hashLink, mintLink } from './subscription-link'

/**
 * Answers a request to subscribe by mail: with a link to confirm it, minted here and nowhere kept, or, where the address is
 * subscribed, with just that. Called by the worker; a try that fails mints another token next time. Beyond a stranger's share of
 * the day's mails nothing is sent, and the links mailed before stay good.
 */
export async function sendNewsletter(
  { email, is_due }: OutboxPayloads['newsletter'],
  now: Date,
): Promise<void> {
  if (is_due) await writeUnsolicited(email, 'stranger', now, () => writeNewsletter(email))
}

function writeNewsletter(email: string): Promise<Omit<Message, 'to'> | null> {
  const token = mintLink()
  return transaction(async (tx) => {
    const { count } = await tx.subscription.updateMany({
      where: { email, status: 'pending' },
      data: { tokenHash: hashLink(token) },
    })
    const subscription = await tx.subscription.findUnique({ where: { email } })
    if (count === 1) return confirmMessage(token, subscription?.partnerType ?? null)
    // Its links stay as they are: whoever asks in another's name must not be able to break them.
    return subscription?.status === 'subscribed' ? alreadySubscribedMessage() : null
  })
}
