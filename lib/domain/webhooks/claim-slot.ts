import { db, type Tx } from '@/lib/db/client'
import { flush, transaction } from '@/lib/db/transaction'
import { testMessage } from '@/lib/infrastructure/events/kinds/channels'
import { record } from '@/lib/infrastructure/events/record'
import { claimSeconds, renewClaim } from '@/lib/infrastructure/worker/claim'
import { whileRenewed } from '@/lib/infrastructure/worker/renew'
import type { Caller, Context, DucklingContext } from '@/lib/kernel/request/context'
import type { Failure } from '@/lib/kernel/request/failures'
import { secondsAfter } from '@/lib/kernel/runtime/clock'
import { newId } from '@/lib/kernel/secrets/ids'
import { accountSlots, endpointSlots } from './claim'
import { sendMessage } from './deliver'
import { finishWebhook, lockQueue, type Slot } from './queue'
import { recordAttempt } from './record-attempt'
import { type Sent, sendTimeoutMs } from './send'

type BusyContext = Context<Caller, 'webhook_busy'>

/**
 * Claims a slot of an endpoint and its account for a delivery that is sent immediately. Uses the same lock as the worker's claims.
 * The caller renews the claim while it sends, and releases the slot with `finishWebhook`. When the process dies before that, the
 * claim expires, and the worker deletes the row because no delivery has that id. Throws `webhook_busy`.
 */
export function claimSlot(
  context: BusyContext,
  endpoint: { id: string; ducklingId: string },
  deliveryId: string,
): Promise<Slot> {
  const { now } = context
  const { id: endpointId, ducklingId } = endpoint
  const claimedUntil = secondsAfter(now, claimSeconds)
  return transaction(async (tx) => {
    await lockQueue(tx, ducklingId, claimedUntil)
    const inFlight = await tx.outbox.findMany({
      where: { ducklingId, claimedUntil: { gt: now } },
      select: { endpointId: true },
    })
    const ofEndpoint = inFlight.filter((row) => row.endpointId === endpointId)
    if (ofEndpoint.length >= endpointSlots) throw busy(context)
    if (inFlight.length >= accountSlots) throw busy(context)
    const { id, attempts } = await tx.outbox.create({
      data: {
        kind: 'webhook',
        payload: { delivery_id: deliveryId },
        dueAt: now,
        claimedUntil,
        createdAt: now,
        ducklingId,
        endpointId,
      },
    })
    return { id, attempts, ducklingId, claimedUntil }
  })
}

/** Returns `webhook_busy`. Every attempt has ended after its time limit. */
function busy(context: BusyContext): Failure {
  return context.fail('webhook_busy', { retry_after: sendTimeoutMs / 1000 })
}

const findEndpoint = (tx: Tx, id: string, ducklingId: string) =>
  tx.webhookEndpoint.findFirst({ where: { id, ducklingId } })

/**
 * Sends a `webhook.test` message to one endpoint and returns the result. There is no retry. Otherwise a test is an ordinary
 * delivery: it occupies a slot, a 410 disables the endpoint, and a success ends a series of failures. One transaction records it
 * afterwards. Throws `webhook_not_found`, `webhook_disabled` or `webhook_busy`.
 */
export async function testWebhook(
  context: DucklingContext<'webhook_not_found' | 'webhook_disabled' | 'webhook_busy'>,
  id: string,
  timeoutMs = sendTimeoutMs,
): Promise<{ messageId: string; sent: Sent }> {
  const { caller, now } = context
  const endpoint = await findEndpoint(db(), id, caller.id)
  if (!endpoint) throw context.fail('webhook_not_found')
  if (!endpoint.enabled) throw context.fail('webhook_disabled')
  const message = {
    id: newId('message', now),
    type: 'webhook.test',
    data: testMessage.data.parse({ ...testMessage.example, webhook_id: id }),
    createdAt: now,
  }
  const deliveryId = newId('delivery', now)
  const slot = await claimSlot(context, endpoint, deliveryId)
  let endedAt = now
  try {
    const sent = await whileRenewed(
      (at) => renewClaim(slot, at),
      () => sendMessage(endpoint, message, now, timeoutMs),
    )
    endedAt = secondsAfter(now, sent.latencyMs / 1000)
    await recordTest(context, endpoint, message, deliveryId, sent)
    return { messageId: message.id, sent }
  } finally {
    await finishWebhook(slot, 'done', endedAt)
  }
}

/** Records a test: event, message, delivery and attempt. Throws `webhook_not_found`. */
function recordTest(
  context: DucklingContext<'webhook_not_found'>,
  endpoint: { id: string; ducklingId: string; url: string },
  message: { id: string; type: string; data: object; createdAt: Date },
  deliveryId: string,
  sent: Sent,
): Promise<void> {
  const { caller, now } = context
  return transaction(async (tx) => {
    // The event is recorded first: its lock prevents that the endpoint is deleted before the rows below are written.
    record(tx, context, 'webhook.tested', {
      targets: [
        { type: 'webhook', id: endpoint.id },
        { type: 'message', id: message.id },
      ],
      metadata: { delivered: sent.error === null, status_code: sent.statusCode, error: sent.error },
    })
    await flush(tx)
    if (!(await findEndpoint(tx, endpoint.id, caller.id))) throw context.fail('webhook_not_found')
    await tx.webhookMessage.create({ data: { ...message, ducklingId: caller.id } })
    await tx.webhookDelivery.create({
      data: { id: deliveryId, messageId: message.id, endpointId: endpoint.id, createdAt: now },
    })
    await recordAttempt(tx, { deliveryId, round: 0, endpoint, sent, startedAt: now, retryAfter: null })
  })
}
