import type { Prisma, Tx } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { record } from '@/lib/infrastructure/events/record'
import type { DucklingContext } from '@/lib/kernel/context'
import { dropWaiting } from './queue'

/**
 * Deletes an endpoint with its deliveries. Throws `webhook_missing`. The event comes first: it takes the lock of the
 * duckling's chain, behind which every other event of hers looks for endpoints to owe a delivery to.
 */
export function deleteWebhook(context: DucklingContext<'webhook_missing'>, id: string): Promise<void> {
  return transaction(async (tx) => {
    await record(tx, context, 'webhook.deleted', { targets: [{ type: 'webhook', id }] })
    const ids = await lockEndpoints(tx, { id, ducklingId: context.caller.id })
    if (ids.length !== 1) throw context.fail('webhook_missing')
    await removeEndpoints(tx, ids)
  })
}

/**
 * Locks endpoints that are about to be removed and switches them off. Returns their ids in order. A delivery that ends waits for
 * the lock too (settle.ts), so what is removed with the endpoints must be removed after this call.
 */
export async function lockEndpoints(tx: Tx, where: Prisma.WebhookEndpointWhereInput): Promise<string[]> {
  const locked = await tx.webhookEndpoint.updateManyAndReturn({
    where,
    data: { enabled: false },
    select: { id: true },
  })
  return locked.map(({ id }) => id).sort()
}

/** Removes locked endpoints with their deliveries and what waits for them. Records nothing. */
export async function removeEndpoints(tx: Tx, ids: string[]): Promise<void> {
  await tx.webhookEndpoint.deleteMany({ where: { id: { in: ids } } })
  await dropWaiting(tx, ids)
}
