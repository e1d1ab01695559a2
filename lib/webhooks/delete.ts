import { transaction } from '@/lib/db/transaction'
import { record } from '@/lib/events/record'
import type { DucklingContext } from '@/lib/kernel/context'
import { fail } from '@/lib/kernel/failures'
import { dropWaiting } from './queue'

/**
 * Deletes an endpoint with its deliveries. Throws `webhook_missing`. The event comes first: it takes the lock of the
 * duckling's chain, behind which every other event of hers looks for endpoints to owe a delivery to.
 */
export function deleteWebhook(context: DucklingContext, id: string): Promise<void> {
  return transaction(async (tx) => {
    await record(tx, context, 'webhook.deleted', { targets: [{ type: 'webhook', id }] })
    const { count } = await tx.webhookEndpoint.deleteMany({ where: { id, ducklingId: context.caller.id } })
    if (count !== 1) throw fail('webhook_missing')
    await dropWaiting(tx, id)
  })
}
