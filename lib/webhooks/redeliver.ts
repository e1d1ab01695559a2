import { transaction } from '@/lib/db/transaction'
import { promise } from '@/lib/events/outbox'
import { record } from '@/lib/events/record'
import type { DucklingContext } from '@/lib/kernel/context'
import { fail } from '@/lib/kernel/failures'
import { type DeliveryInput, type DeliveryName, presentDelivery, withAttempts } from './schema'

/**
 * Promises a delivery anew, under the same `webhook-id` and with all its attempts before it; what was still promised of it
 * is void, so that it is not delivered twice. Throws `webhook_missing` or `webhook_disabled`.
 */
export function redeliverWebhook(context: DucklingContext, name: DeliveryName): Promise<DeliveryInput> {
  const { caller, now } = context
  return transaction(async (tx) => {
    const delivery = await tx.webhookDelivery.findFirst({
      where: {
        ...('deliveryId' in name
          ? { id: name.deliveryId }
          : { messageId: name.messageId, endpointId: name.webhookId }),
        endpoint: { ducklingId: caller.id },
      },
      select: { id: true, messageId: true, endpoint: { select: { id: true, enabled: true } } },
    })
    if (!delivery) throw fail('webhook_missing')
    if (!delivery.endpoint.enabled) throw fail('webhook_disabled')
    const [promised] = await tx.webhookDelivery.updateManyAndReturn({
      where: { id: delivery.id },
      data: { round: { increment: 1 }, status: 'pending', nextAttemptAt: now },
      select: { id: true, round: true },
    })
    if (!promised) throw fail('webhook_missing')
    await promise(tx, now, 'webhook', { delivery_id: promised.id, round: promised.round })
    await record(tx, context, 'webhook.redelivered', {
      targets: [
        { type: 'webhook', id: delivery.endpoint.id },
        { type: 'message', id: delivery.messageId },
      ],
    })
    const row = await tx.webhookDelivery.findUniqueOrThrow({
      where: { id: promised.id },
      include: withAttempts,
    })
    return presentDelivery(row)
  })
}
