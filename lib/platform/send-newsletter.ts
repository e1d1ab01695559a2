import { transaction } from '@/lib/db/transaction'
import type { OutboxPayloads } from '@/lib/events/outbox'
import { alreadySubscribedMessage, confirmMessage } from '@/lib/mail/newsletter'
import { type Message, sendMail } from '@/lib/mail/send'
import { hashLink, mintLink } from './subscription-link'

/**
 * Answers a request to subscribe by mail: with a link to confirm it, minted here and nowhere kept, or, where the address is
 * subscribed, with just that. Called by the worker; a try that fails mints another token next time.
 */
export async function sendNewsletter({ email, is_due }: OutboxPayloads['newsletter']): Promise<void> {
  if (!is_due) return
  const token = mintLink()
  const message = await transaction(async (tx): Promise<Omit<Message, 'to'> | null> => {
    const { count } = await tx.subscription.updateMany({
      where: { email, status: 'pending' },
      data: { tokenHash: hashLink(token) },
    })
    const subscription = await tx.subscription.findUnique({ where: { email } })
    if (count === 1) return confirmMessage(token, subscription?.partnerType ?? null)
    // Its links stay as they are: whoever asks in another's name must not be able to break them.
    return subscription?.status === 'subscribed' ? alreadySubscribedMessage() : null
  })
  if (message !== null) await sendMail({ ...message, to: email })
}
