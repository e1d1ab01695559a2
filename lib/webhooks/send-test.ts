import type { Tx } from '@/lib/db/client'
import { db } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { record } from '@/lib/events/record'
import type { DucklingContext } from '@/lib/kernel/context'
import { fail } from '@/lib/kernel/failures'
import { newId } from '@/lib/kernel/ids'
import { sendMessage } from './deliver'
import { type Sent, sendTimeoutMs } from './send'
import { settle } from './settle'

const findEndpoint = (tx: Tx, id: string, ducklingId: string) =>
  tx.webhookEndpoint.findFirst({ where: { id, ducklingId } })

/**
 * Sends a `webhook.test` message to one endpoint and waits for what becomes of it; it is not tried again. It goes the way of
 * every delivery and counts like one: a 410 disables, a success ends a row of failures. Written down afterwards, in one
 * transaction. Throws `webhook_missing` or `webhook_disabled`.
 */
export async function testWebhook(
  context: DucklingContext,
  id: string,
  timeoutMs = sendTimeoutMs,
): Promise<{ messageId: string; sent: Sent }> {
  const { caller, now } = context
  const endpoint = await findEndpoint(db(), id, caller.id)
  if (!endpoint) throw fail('webhook_missing')
  if (!endpoint.enabled) throw fail('webhook_disabled')
  const message = {
    id: newId('message', now),
    type: 'webhook.test',
    data: { webhook_id: id, message: 'This is a test of your webhook endpoint. Nothing has happened.' },
    createdAt: now,
  }
  const sent = await sendMessage(endpoint, message, now, timeoutMs)
  return transaction(async (tx) => {
    // First, because its lock keeps the endpoint from being deleted under the rows that follow.
    await record(tx, context, 'webhook.tested', {
      targets: [
        { type: 'webhook', id },
        { type: 'message', id: message.id },
      ],
      metadata: { delivered: sent.error === null, status_code: sent.statusCode, error: sent.error },
    })
    if (!(await findEndpoint(tx, id, caller.id))) throw fail('webhook_missing')
    const deliveryId = newId('delivery', now)
    await tx.webhookMessage.create({ data: { ...message, ducklingId: caller.id } })
    await tx.webhookDelivery.create({
      data: { id: deliveryId, messageId: message.id, endpointId: id, createdAt: now },
    })
    await settle(tx, { deliveryId, round: 0, endpoint, sent, startedAt: now, retryAfter: null })
    return { messageId: message.id, sent }
  })
}
