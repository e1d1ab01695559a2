/**
 * Delivers one message to one endpoint (contract C, Webhooks; Standard Webhooks). At least once: a worker that dies between
 * sending and writing it down sends again, under the same `webhook-id`, by which a receiver knows it.
 */
import { db } from '@/lib/db/client'
import type { WebhookEndpoint, WebhookMessage } from '@/lib/db/generated/client'
import { transaction } from '@/lib/db/transaction'
import type { OutboxPayloads } from '@/lib/infrastructure/events/outbox'
import { type Signer, signingHeaders } from './secret'
import { type Sent, send, sendTimeoutMs } from './send'
import { settle } from './settle'

/** Seconds to wait after each failed attempt: eight attempts in all. The outbox and the deliveries shown go by this list. */
export const retrySeconds = [5, 300, 1800, 7200, 18_000, 36_000, 36_000]

/** Signs a message and posts it to an endpoint, as of `now`. */
export function sendMessage(
  endpoint: Signer & Pick<WebhookEndpoint, 'url'>,
  message: Pick<WebhookMessage, 'id' | 'type' | 'createdAt'> & { data: unknown },
  now: Date,
  timeoutMs = sendTimeoutMs,
): Promise<Sent> {
  const { id, type, createdAt, data } = message
  const body = JSON.stringify({ type, timestamp: createdAt.toISOString(), data })
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': 'Beak-Webhooks/1',
    ...signingHeaders(endpoint, id, body, now),
  }
  return send(endpoint.url, headers, body, timeoutMs)
}

/**
 * The outbox job: `attempt` counts from 1. Throws when the attempt failed and another is to follow; when it was the last,
 * the delivery says so and the job is done.
 */
export async function deliverWebhook(
  { delivery_id: id, round = 0 }: OutboxPayloads['webhook'],
  now: Date,
  attempt: number,
  timeoutMs = sendTimeoutMs,
): Promise<void> {
  const delivery = await db().webhookDelivery.findUnique({
    where: { id },
    include: { message: true, endpoint: true },
  })
  // Deleted or dropped with its endpoint, or promised anew since: this promise is void.
  if (delivery?.status !== 'pending' || delivery.round !== round) return
  const { endpoint, message } = delivery
  if (!endpoint.enabled) return drop(id, round)
  const sent = await sendMessage(endpoint, message, now, timeoutMs)
  const retryAfter = retrySeconds[attempt - 1] ?? null
  const willRetry = await transaction((tx) =>
    settle(tx, { deliveryId: id, round, endpoint, sent, startedAt: now, retryAfter }),
  )
  if (willRetry) throw new Error(`the receiver did not take the webhook: ${sent.error}`)
}

/** An event recorded at the very moment its endpoint was switched off. */
async function drop(id: string, round: number): Promise<void> {
  await db().webhookDelivery.updateMany({
    where: { id, round, status: 'pending' },
    data: { status: 'failed', nextAttemptAt: null },
  })
}
