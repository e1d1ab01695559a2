/**
 * Delivers one message to one endpoint. Delivery is at least once: when a worker dies
 * after it has sent a message and before it has recorded the result, the message is sent again. Its `webhook-id` stays the same, so
 * the receiver can recognize the repetition.
 */
import { db } from '@/lib/db/client'
import type { WebhookEndpoint, WebhookMessage } from '@/lib/db/generated/client'
import { transaction } from '@/lib/db/transaction'
import type { OutboxPayloads } from '@/lib/infrastructure/events/outbox'
import { NotDelivered } from '@/lib/infrastructure/mail/not-delivered'
import { marked } from '@/lib/kernel/service/test-service'
import { recordAttempt } from './record-attempt'
import { type Signer, signingHeaders } from './secret'
import { type Sent, send, sendTimeoutMs } from './send'

/** Seconds to wait after each failed attempt, so there are eight attempts. The outbox and `next_attempt_at` use the same list. */
export const retrySeconds = [5, 300, 1800, 7200, 18_000, 36_000, 36_000]

type Message = Pick<WebhookMessage, 'id' | 'type' | 'createdAt'> & { data: unknown }

/** Returns the body of a message and its headers, signed with the time `now`. */
export function signMessage(
  signer: Signer,
  message: Message,
  now: Date,
): { body: string; headers: Record<string, string> } {
  const { id, type, createdAt, data } = message
  const body = JSON.stringify(marked({ type, timestamp: createdAt.toISOString(), data }))
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': 'Beak-Webhooks/1',
    ...signingHeaders(signer, id, body, now),
  }
  return { body, headers }
}

/** Signs a message with the time `now` and posts it to an endpoint. */
export function sendMessage(
  endpoint: Signer & Pick<WebhookEndpoint, 'url'>,
  message: Message,
  now: Date,
  timeoutMs = sendTimeoutMs,
): Promise<Sent> {
  const { body, headers } = signMessage(endpoint, message, now)
  return send(endpoint.url, headers, body, timeoutMs)
}

/**
 * Runs the outbox job of a delivery. `attempt` counts from 1. Throws when the attempt failed and will be retried. After the last
 * attempt the delivery is marked as failed, and the job is done.
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
  // The delivery was deleted, it ended with its endpoint, or a redelivery started a new round.
  if (delivery?.status !== 'pending' || delivery.round !== round) return
  const { endpoint, message } = delivery
  if (!endpoint.enabled) return failDelivery(id, round)
  const sent = await sendMessage(endpoint, message, now, timeoutMs)
  const retryAfter = retrySeconds[attempt - 1] ?? null
  const willRetry = await transaction((tx) =>
    recordAttempt(tx, { deliveryId: id, round, endpoint, sent, startedAt: now, retryAfter }),
  )
  if (willRetry) throw new NotDelivered('deferred', `the receiver did not accept the webhook: ${sent.error}`)
}

/** Marks a delivery as failed that was enqueued at the moment its endpoint was disabled. */
async function failDelivery(id: string, round: number): Promise<void> {
  await db().webhookDelivery.updateMany({
    where: { id, round, status: 'pending' },
    data: { status: 'failed', nextAttemptAt: null },
  })
}
