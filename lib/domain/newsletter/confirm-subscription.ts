import { transaction } from '@/lib/db/transaction'
import type { AnonymousContext } from '@/lib/kernel/context'
import type { DoneInput } from './schema'
import { hashSubscriptionToken } from './subscription-token'

/**
 * Confirms the subscription of the address that got the link. The link can be used again while the address is subscribed. After
 * unsubscribing a new request is needed. Throws `subscription_link_invalid`.
 */
export function confirmSubscription(
  context: AnonymousContext<'subscription_link_invalid'>,
  token: string,
): Promise<DoneInput> {
  const tokenHash = hashSubscriptionToken(token)
  return transaction(async (tx) => {
    const { count } = await tx.subscription.updateMany({
      where: { tokenHash, status: 'pending' },
      data: { status: 'subscribed', confirmedAt: context.now },
    })
    const confirmed =
      count === 1 ||
      (await tx.subscription.findFirst({ where: { tokenHash, status: 'subscribed' } })) !== null
    if (!confirmed) throw context.fail('subscription_link_invalid')
    return { success: true, message: 'You are subscribed.' }
  })
}
