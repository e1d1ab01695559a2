/**
 * Writes down how an attempt went. The order of the locks is endpoint, delivery, attempt, wherever a delivery ends, so that
 * many that fail at once do not wait for each other crosswise.
 */
import type { Tx } from '@/lib/db/client'
import { hour, secondsAfter } from '@/lib/kernel/clock'
import { disableWebhook } from './disable'
import type { Sent } from './send'

/** Failing this long without a success between disables an endpoint (contract C). */
const patienceSeconds = 120 * hour

export interface Attempted {
  deliveryId: string
  round: number
  endpoint: { id: string; ducklingId: string; url: string }
  sent: Sent
  /** When it began. */
  startedAt: Date
  /** Seconds until the next one; null when there is none. */
  retryAfter: number | null
}

/** Records an attempt with what follows from it. Returns whether the delivery is to be tried again. */
export async function settle(tx: Tx, attempted: Attempted): Promise<boolean> {
  const { deliveryId, round, endpoint, sent, startedAt, retryAfter } = attempted
  const endedAt = secondsAfter(startedAt, sent.latencyMs / 1000)
  const isDelivered = sent.error === null
  if (isDelivered) await forgetFailures(tx, endpoint.id)
  else await noteFailure(tx, endpoint, sent, endedAt)
  const willRetry = !isDelivered && retryAfter !== null
  const { count } = await tx.webhookDelivery.updateMany({
    // A failure changes nothing of a delivery that ended meanwhile, with its endpoint or by a newer round.
    where: { id: deliveryId, round, ...(isDelivered ? {} : { status: 'pending' }) },
    data: {
      status: isDelivered ? 'delivered' : willRetry ? 'pending' : 'failed',
      nextAttemptAt: willRetry ? secondsAfter(endedAt, retryAfter) : null,
    },
  })
  // A delivery deleted meanwhile has no attempts any more.
  await tx.$executeRaw`
    INSERT INTO "WebhookAttempt" ("deliveryId", "attemptedAt", "statusCode", "latencyMs", "error", "response")
    SELECT "id", ${startedAt}::timestamptz, ${sent.statusCode}::int, ${sent.latencyMs}::int, ${sent.error}::text, ${sent.response}::text
    FROM "WebhookDelivery" WHERE "id" = ${deliveryId}`
  return willRetry && count === 1
}

async function forgetFailures(tx: Tx, id: string): Promise<void> {
  await tx.webhookEndpoint.updateMany({
    where: { id, failingSince: { not: null } },
    data: { failingSince: null },
  })
}

/** Counts against the endpoint only while it still has the URL that failed. */
async function noteFailure(
  tx: Tx,
  endpoint: Attempted['endpoint'],
  sent: Sent,
  endedAt: Date,
): Promise<void> {
  const [row] = await tx.$queryRaw<{ failingSince: Date }[]>`
    UPDATE "WebhookEndpoint" SET "failingSince" = COALESCE("failingSince", ${endedAt}::timestamptz)
    WHERE "id" = ${endpoint.id} AND "url" = ${endpoint.url}
    RETURNING "failingSince"`
  if (!row) return
  if (sent.statusCode === 410) await disableWebhook(tx, endedAt, endpoint, 'gone')
  else if (row.failingSince <= secondsAfter(endedAt, -patienceSeconds))
    await disableWebhook(tx, endedAt, endpoint, 'failing')
}
