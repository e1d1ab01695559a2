import { transaction } from '@/lib/db/transaction'
import type { AnonymousContext } from '@/lib/kernel/context'
import { hashLink } from './subscription-link'

/** Ends the subscription a link belongs to, confirmed or not, however often. Throws `subscription_link_invalid`. */
export async function unsubscribe(
  context: AnonymousContext<'subscription_link_invalid'>,
  token: string,
): Promise<void> {
  await transaction(async (tx) => {
    const { count } = await tx.subscription.updateMany({
      where: { tokenHash: hashLink(token) },
      data: { status: 'unsubscribed' },
    })
    if (count === 0) throw context.fail('subscription_link_invalid')
  })
}
