/**
 * Records the result of an attempt. Locks are taken in the order endpoint, delivery, attempt, so that deliveries that fail at the
 * same time cannot deadlock.
 */
import type { Tx } from '@/lib/db/client'
import { hour, secondsAfter } from '@/lib/kernel/clock'
import { disableWebhook } from './disable'
import { wakeAccount } from './queue'
import type { Sent } from './send'
import { addAnswer, addTimeout } from './standing'

/** An endpoint that fails this long without a success is disabled (contract C). */
const disableAfterSeconds = 120 * hour
/** The pause after a timeout (contract C, Webhooks). Each further timeout without an answer between doubles the pause. */
const pauseSeconds = 30
const pauseSecondsMax = hour

export interface Attempt {
  deliveryId: string
  round: number
  endpoint: { id: string; ducklingId: string; url: string }
  sent: Sent
  /** When the attempt began. */
  startedAt: Date
  /** Seconds until the next attempt; null after the last attempt. */
  retryAfter: number | null
}

/** Records an attempt and its effects on delivery and endpoint. Returns whether the delivery will be retried. */
export async function recordAttempt(tx: Tx, attempt: Attempt): Promise<boolean> {
  const { deliveryId, round, endpoint, sent, startedAt, retryAfter } = attempt
  const endedAt = secondsAfter(startedAt, sent.latencyMs / 1000)
  const isDelivered = sent.error === null
  const isAnswering = isDelivered
    ? await clearFailures(tx, endpoint.id)
    : await recordFailure(tx, attempt, endedAt)
  const willRetry = !isDelivered && retryAfter !== null
  const { count } = await tx.webhookDelivery.updateMany({
    // A failure must not change a delivery that ended meanwhile, or that a redelivery has restarted.
    where: { id: deliveryId, round, ...(isDelivered ? {} : { status: 'pending' }) },
    data: {
      status: isDelivered ? 'delivered' : willRetry ? 'pending' : 'failed',
      nextAttemptAt: willRetry ? secondsAfter(endedAt, retryAfter) : null,
    },
  })
  // Inserts nothing when the delivery was deleted meanwhile.
  await tx.run`
    INSERT INTO "WebhookAttempt" ("deliveryId", "attemptedAt", "statusCode", "latencyMs", "error", "response")
    SELECT "id", ${startedAt}::timestamptz, ${sent.statusCode}::int, ${sent.latencyMs}::int, ${sent.error}::text, ${sent.response}::text
    FROM "WebhookDelivery" WHERE "id" = ${deliveryId}`
  if (sent.error === 'timeout') addTimeout(tx, endpoint.ducklingId, { startedAt, endedAt })
  else if (sent.statusCode !== null) addAnswer(tx, endpoint.ducklingId, endedAt)
  // The pause has ended, so waiting deliveries can be sent now. The lock of the queue row comes last.
  if (isAnswering) await wakeAccount(tx, endpoint.ducklingId, endedAt)
  return willRetry && count === 1
}

/** Resets the failures of an endpoint. Returns whether it had any. */
async function clearFailures(tx: Tx, id: string): Promise<boolean> {
  const { count } = await tx.webhookEndpoint.updateMany({
    where: { id, OR: [{ failingSince: { not: null } }, { timeouts: { gt: 0 } }] },
    data: { failingSince: null, timeouts: 0, pausedUntil: null },
  })
  return count === 1
}

/**
 * Records a failure of the endpoint, unless its URL has changed since. Any answer ends a pause. A timeout starts a pause, unless one
 * started after this attempt began: attempts that time out together count as one. Returns whether this was the first answer after a
 * timeout.
 */
async function recordFailure(
  tx: Tx,
  { endpoint, sent, startedAt }: Attempt,
  endedAt: Date,
): Promise<boolean> {
  const isTimeout = sent.error === 'timeout'
  const isAnswer = !isTimeout && sent.statusCode !== null
  const [row] = await tx.rows<{ failingSince: Date; before: number }>`
    UPDATE "WebhookEndpoint" e SET
      "failingSince" = COALESCE(e."failingSince", ${endedAt}::timestamptz),
      "timeouts" = CASE WHEN ${isAnswer}::boolean THEN 0 WHEN old."isNew" THEN old."timeouts" + 1 ELSE old."timeouts" END,
      "pausedUntil" = CASE WHEN ${isAnswer}::boolean THEN NULL
        WHEN old."isNew" THEN ${endedAt}::timestamptz
          + LEAST(${pauseSeconds}::int * 2 ^ LEAST(old."timeouts", 30), ${pauseSecondsMax}::int) * interval '1 second'
        ELSE old."pausedUntil" END
    FROM (
      SELECT "id", "timeouts", "pausedUntil",
        ${isTimeout}::boolean AND ("pausedUntil" IS NULL OR "pausedUntil" <= ${startedAt}::timestamptz) AS "isNew"
      FROM "WebhookEndpoint" WHERE "id" = ${endpoint.id} AND "url" = ${endpoint.url} FOR NO KEY UPDATE
    ) old WHERE e."id" = old."id"
    RETURNING e."failingSince", old."timeouts" AS "before"`
  if (!row) return false
  if (sent.statusCode === 410) await disableWebhook(tx, endedAt, endpoint, 'gone')
  else if (row.failingSince <= secondsAfter(endedAt, -disableAfterSeconds))
    await disableWebhook(tx, endedAt, endpoint, 'failing')
  return isAnswer && row.before > 0
}
