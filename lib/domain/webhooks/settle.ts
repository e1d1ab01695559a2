/**
 * Writes down how an attempt went. The order of the locks is endpoint, delivery, attempt, wherever a delivery ends, so that
 * many that fail at once do not wait for each other crosswise.
 */
import type { Tx } from '@/lib/db/client'
import { hour, secondsAfter } from '@/lib/kernel/clock'
import { disableWebhook } from './disable'
import { wakeAccount } from './queue'
import type { Sent } from './send'

/** Failing this long without a success between disables an endpoint (contract C). */
const patienceSeconds = 120 * hour
/** Spec silent: the pause after a timeout, which doubles with each timeout in a row. */
const pauseSeconds = 30
const pauseSecondsMax = hour

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
  const isAnswering = isDelivered
    ? await forgetFailures(tx, endpoint.id)
    : await noteFailure(tx, attempted, endedAt)
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
  // What waited for the end of the pause can be sent at once. The lock of the queue comes last.
  if (isAnswering) await wakeAccount(tx, endpoint.ducklingId, endedAt)
  return willRetry && count === 1
}

/** Returns whether there was anything to forget. */
async function forgetFailures(tx: Tx, id: string): Promise<boolean> {
  const { count } = await tx.webhookEndpoint.updateMany({
    where: { id, OR: [{ failingSince: { not: null } }, { timeouts: { gt: 0 } }] },
    data: { failingSince: null, timeouts: 0, pausedUntil: null },
  })
  return count === 1
}

/**
 * Counts against the endpoint only while it still has the URL that failed. An answer ends a pause, whatever it says; a timeout
 * begins one, unless one has begun since the attempt did: attempts that hang at the same time count as one. Returns whether
 * this answer followed a timeout.
 */
async function noteFailure(
  tx: Tx,
  { endpoint, sent, startedAt }: Attempted,
  endedAt: Date,
): Promise<boolean> {
  const isTimeout = sent.error === 'timeout'
  const isAnswer = !isTimeout && sent.statusCode !== null
  const [row] = await tx.$queryRaw<{ failingSince: Date; before: number }[]>`
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
  else if (row.failingSince <= secondsAfter(endedAt, -patienceSeconds))
    await disableWebhook(tx, endedAt, endpoint, 'failing')
  return isAnswer && row.before > 0
}
