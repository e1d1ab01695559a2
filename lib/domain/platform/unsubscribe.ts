import { transaction } from '@/lib/db/transaction'
import type { AnonymousContext } from '@/lib/kernel/context'
import { fail } from '@/lib/kernel/failures'
import { hashLink } from './subscription-link'

/** Ends the subscription a link belongs to, confirmed or not, however often. Throws `subscription_link_invalid`. */
export async function unsubscribe(_context: AnonymousContext, token: string): Promise<void> {
  await transaction(async (tx) => {
    const { count } = await tx.subscription.updateMany({
      where: { tokenHash: hashLink(token) },
      data: { status: 'unsubscribed' },
    })
    if (count === 0) throw fail('subscription_link_invalid')
  })
}
