import type { Tx } from '@/lib/db/client'
import { db } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { record } from '@/lib/infrastructure/events/record'
import { renewClaim } from '@/lib/infrastructure/worker/claim'
import { whileRenewed } from '@/lib/infrastructure/worker/renew'
import { secondsAfter } from '@/lib/kernel/clock'
import type { DucklingContext } from '@/lib/kernel/context'
import { fail } from '@/lib/kernel/failures'
import { newId } from '@/lib/kernel/ids'
import { sendMessage } from './deliver'
import { finishWebhook } from './queue'
import { type Sent, sendTimeoutMs } from './send'
import { settle } from './settle'
import { takePlace } from './take-place'

const findEndpoint = (tx: Tx, id: string, ducklingId: string) =>
  tx.webhookEndpoint.findFirst({ where: { id, ducklingId } })

/**
 * Sends a `webhook.test` message to one endpoint and waits for what becomes of it; it is not tried again. It goes the way of
 * every delivery and counts like one: it takes a place, a 410 disables, a success ends a row of failures. Written down
 * afterwards, in one transaction. Throws `webhook_missing`, `webhook_disabled` or `webhook_busy`.
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
  const deliveryId = newId('delivery', now)
  const place = await takePlace(endpoint, deliveryId, now)
  let endedAt = now
  try {
    const sent = await whileRenewed(
      (at) => renewClaim(place, at),
      () => sendMessage(endpoint, message, now, timeoutMs),
    )
    endedAt = secondsAfter(now, sent.latencyMs / 1000)
    await keepTest(context, endpoint, message, deliveryId, sent)
    return { messageId: message.id, sent }
  } finally {
    await finishWebhook(place, 'done', endedAt)
  }
}

/** Writes a test down: event, message, delivery and attempt. Throws `webhook_missing`. */
function keepTest(
  context: DucklingContext,
  endpoint: { id: string; ducklingId: string; url: string },
  message: { id: string; type: string; data: object; createdAt: Date },
  deliveryId: string,
  sent: Sent,
): Promise<void> {
  const { caller, now } = context
  return transaction(async (tx) => {
    // First, because its lock keeps the endpoint from being deleted under the rows that follow.
    await record(tx, context, 'webhook.tested', {
      targets: [
        { type: 'webhook', id: endpoint.id },
        { type: 'message', id: message.id },
      ],
      metadata: { delivered: sent.error === null, status_code: sent.statusCode, error: sent.error },
    })
    if (!(await findEndpoint(tx, endpoint.id, caller.id))) throw fail('webhook_missing')
    await tx.webhookMessage.create({ data: { ...message, ducklingId: caller.id } })
    await tx.webhookDelivery.create({
      data: { id: deliveryId, messageId: message.id, endpointId: endpoint.id, createdAt: now },
    })
    await settle(tx, { deliveryId, round: 0, endpoint, sent, startedAt: now, retryAfter: null })
  })
}
