import { transaction } from '@/lib/db/transaction'
import type { OutboxPayloads } from '@/lib/infrastructure/events/outbox'
import { alreadySubscribedMessage, confirmMessage } from '@/lib/infrastructure/mail/newsletter'
import { unknownReader, writeFor } from '@/lib/infrastructure/mail/reader'
import type { Message } from '@/lib/infrastructure/mail/send'
import { writeUnsolicited } from '@/lib/infrastructure/mail/unsolicited'
import { hashSubscriptionToken, mintSubscriptionToken } from './subscription-token'

/**
 * Answers a request to subscribe by mail: with a link to confirm, or, when the address is subscribed already, with a note about that.
 * The token of the link is generated here and never stored. Each retry generates a new token. Called by the worker. When the daily
 * limit of unsolicited mails is reached, no mail is sent, and earlier links stay valid.
 */
export async function sendNewsletter(
  { email, is_due, language = null }: OutboxPayloads['newsletter'],
  now: Date,
): Promise<void> {
  if (is_due) await writeUnsolicited(email, 'stranger', now, () => writeNewsletter(email, language))
}

function writeNewsletter(email: string, language: string | null): Promise<Omit<Message, 'to'> | null> {
  const token = mintSubscriptionToken()
  return transaction(async (tx) => {
    const { count } = await tx.subscription.updateMany({
      where: { email, status: 'pending' },
      data: { tokenHash: hashSubscriptionToken(token) },
    })
    const subscription = await tx.subscription.findUnique({ where: { email } })
    const write = <Mail>(mail: () => Mail): Mail =>
      writeFor({ ...unknownReader, readerLanguage: language }, mail)
    if (count === 1) return write(() => confirmMessage(token, subscription?.partnerType ?? null))
    // The earlier links stay valid, so that another person cannot invalidate them with a request for this address.
    return subscription?.status === 'subscribed' ? write(alreadySubscribedMessage) : null
  })
}
