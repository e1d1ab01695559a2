import { transaction } from '@/lib/db/transaction'
import type { AnonymousContext } from '@/lib/kernel/context'
import { hashLink } from './subscription-link'

/**
 * Subscribes the address a link was mailed to. Following it twice is no fault; after unsubscribing it is, for then a new
 * request comes first. Throws `subscription_link_invalid`.
 */
export async function confirmSubscription(
  context: AnonymousContext<'subscription_link_invalid'>,
  token: string,
): Promise<void> {
  const tokenHash = hashLink(token)
  await transaction(async (tx) => {
    const { count } = await tx.subscription.updateMany({
      where: { tokenHash, status: 'pending' },
      data: { status: 'subscribed', confirmedAt: context.now },
    })
    if (count === 1) return
    const known = await tx.subscription.findFirst({ where: { tokenHash, status: 'subscribed' } })
    if (!known) throw context.fail('subscription_link_invalid')
  })
}
