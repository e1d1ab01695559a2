import type { Tx } from '@/lib/db/client'
import { flush, transaction } from '@/lib/db/transaction'
import { record } from '@/lib/infrastructure/events/record'
import type { DucklingContext } from '@/lib/kernel/context'
import { enqueueDelivery } from './queue'
import { type DeliveryInput, type DeliveryName, presentDelivery, withAttempts } from './schema'

/**
 * Enqueues a delivery again, with the same `webhook-id` and all attempts. A retry that is still waiting becomes void, so the
 * message is not sent twice. Throws `webhook_not_found`, `webhook_disabled`, or `invalid_request` when the body matches several
 * deliveries.
 */
export function redeliverWebhook(
  context: DucklingContext<'webhook_not_found' | 'webhook_disabled' | 'invalid_request'>,
  name: DeliveryName,
): Promise<DeliveryInput> {
  const { caller, now } = context
  return transaction(async (tx) => {
    const delivery = await getNamed(tx, context, name)
    if (!delivery.endpoint.enabled) throw context.fail('webhook_disabled')
    const [enqueued] = await tx.webhookDelivery.updateManyAndReturn({
      where: { id: delivery.id },
      data: { round: { increment: 1 }, status: 'pending', nextAttemptAt: now },
      select: { id: true, round: true },
    })
    if (!enqueued) throw context.fail('webhook_not_found')
    record(tx, context, 'webhook.redelivered', {
      targets: [
        { type: 'webhook', id: delivery.endpoint.id },
        { type: 'message', id: delivery.messageId },
      ],
    })
    await flush(tx)
    await enqueueDelivery(tx, now, {
      ducklingId: caller.id,
      endpointId: delivery.endpoint.id,
      deliveryId: enqueued.id,
      round: enqueued.round,
    })
    const row = await tx.webhookDelivery.findUniqueOrThrow({
      where: { id: enqueued.id },
      include: withAttempts,
    })
    return presentDelivery(row)
  })
}

/** Returns the delivery that the body names. Throws `webhook_not_found`, or `invalid_request` when several match. */
async function getNamed(
  tx: Tx,
  context: DucklingContext<'webhook_not_found' | 'invalid_request'>,
  name: DeliveryName,
) {
  const { delivery_id, message_id, webhook_id } = name
  const [delivery, another] = await tx.webhookDelivery.findMany({
    where: {
      ...(delivery_id === undefined ? {} : { id: delivery_id }),
      ...(message_id === undefined ? {} : { messageId: message_id }),
      ...(webhook_id === undefined ? {} : { endpointId: webhook_id }),
      endpoint: { ducklingId: context.caller.id },
    },
    take: 2,
    select: { id: true, messageId: true, endpoint: { select: { id: true, enabled: true } } },
  })
  if (!delivery) throw context.fail('webhook_not_found')
  if (another) {
    const message = 'is required, because the message was sent to several of your endpoints'
    throw context.fail('invalid_request', { errors: [{ field: 'webhook_id', message }] })
  }
  return delivery
}
