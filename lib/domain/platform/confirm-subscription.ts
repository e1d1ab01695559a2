import { transaction } from '@/lib/db/transaction'
import type { AnonymousContext } from '@/lib/kernel/context'
import { hashSubscriptionToken } from './subscription-token'

/**
 * Confirms the subscription of the address that got the link. The link can be used again while the address is subscribed. After
 * unsubscribing a new request is needed. Throws `subscription_link_invalid`.
 */
export async function confirmSubscription(
  context: AnonymousContext<'subscription_link_invalid'>,
  token: string,
): Promise<void> {
  const tokenHash = hashSubscriptionToken(token)
  await transaction(async (tx) => {
    const { count } = await tx.subscription.updateMany({
      where: { tokenHash, status: 'pending' },
      data: { status: 'subscribed', confirmedAt: context.now },
    })
    if (count === 1) return
    const confirmed = await tx.subscription.findFirst({ where: { tokenHash, status: 'subscribed' } })
    if (!confirmed) throw context.fail('subscription_link_invalid')
  })
}
