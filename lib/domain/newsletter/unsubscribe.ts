import { transaction } from '@/lib/db/transaction'
import type { AnonymousContext } from '@/lib/kernel/context'
import type { DoneInput } from './schema'
import { hashSubscriptionToken } from './subscription-token'

/** Ends the subscription of a link, confirmed or not. Can be repeated. Throws `subscription_link_invalid`. */
export function unsubscribe(
  context: AnonymousContext<'subscription_link_invalid'>,
  token: string,
): Promise<DoneInput> {
  return transaction(async (tx) => {
    const { count } = await tx.subscription.updateMany({
      where: { tokenHash: hashSubscriptionToken(token) },
      data: { status: 'unsubscribed' },
    })
    if (count === 0) throw context.fail('subscription_link_invalid')
    return { success: true, message: 'You are no longer subscribed.' }
  })
}
