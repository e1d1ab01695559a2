/**
 * How many places the webhooks of an account get in a worker (contract F, Webhooks in flight). Receivers that do not answer hold a place
 * until the time limit. So accounts whose receivers did that lately, and young accounts whose receivers never answered, have one place each, and
 * places of their own together. An account whose receivers have answered before does not wait for those that never did.
 */

import { Prisma, type Tx } from '@/lib/db/client'
import { type Sql, sql } from '@/lib/db/sql'
import { beforeCommit } from '@/lib/db/transaction'
import { day, hour, minute, secondsAfter } from '@/lib/kernel/runtime/clock'
import { disableWebhook } from './disable'
import { wakeAccount } from './queue'
import type { Sent } from './send'

/** Slow: a receiver did not answer lately. Late: the same, and one had answered before. */
export type PlaceGroup = 'slow' | 'late' | 'young' | 'known'

/** The groups whose accounts share few places. */
export const limitedGroups = ['slow', 'late', 'young'] as const

/**
 * The places of one account, and the share of a worker's places that all accounts of that group have together. Many new accounts whose receivers
 * hang need as many places: each has one, so that a further new account does not wait for them.
 */
export const placesOf: Record<PlaceGroup, { account: number; share: number }> = {
  slow: { account: 1, share: 1 / 8 },
  late: { account: 1, share: 1 / 8 },
  young: { account: 1, share: 1 / 2 },
  known: { account: 6, share: 1 },
}

/** The age of an account from which it counts as known, even when no receiver of it has ever answered. */
const youngSeconds = 7 * day
/** How long an account is slow after a timeout. Each further period that follows within a day is twice as long. */
const slowSeconds = minute
const slowSecondsMax = hour

/** Selects the group of the accounts with these ids, as "id" and "placeGroup". */
export function placeGroups(ids: Sql, now: Date): Sql {
  return sql`
    SELECT a."id", CASE
      WHEN s."slowUntil" > ${now}::timestamptz THEN CASE WHEN s."answeredAt" IS NULL THEN 'slow' ELSE 'late' END
      WHEN s."answeredAt" IS NULL AND d."createdAt" > ${secondsAfter(now, -youngSeconds)}::timestamptz THEN 'young' ELSE 'known' END AS "placeGroup"
    FROM unnest(${ids}) AS a("id") LEFT JOIN "Duckling" d ON d."id" = a."id" LEFT JOIN "WebhookStanding" s ON s."ducklingId" = a."id"`
}

/** The places of an account, from its column "placeGroup". */
export const accountPlaces: Sql = Prisma.sql`(CASE "placeGroup" WHEN 'slow' THEN ${placesOf.slow.account}::int
  WHEN 'late' THEN ${placesOf.late.account}::int WHEN 'young' THEN ${placesOf.young.account}::int ELSE ${placesOf.known.account}::int END)`

/** Records that a receiver of the account answered in time, at the end of the transaction. Writes only the first time. */
function addAnswer(tx: Tx, ducklingId: string, at: Date): void {
  beforeCommit(
    tx,
    sql`INSERT INTO "WebhookStanding" AS s ("ducklingId", "answeredAt") VALUES (${ducklingId}, ${at}::timestamptz)
      ON CONFLICT ("ducklingId") DO UPDATE SET "answeredAt" = EXCLUDED."answeredAt" WHERE s."answeredAt" IS NULL`,
  )
}

/** Counts a timeout for the account, at the end of the transaction. Timeouts of attempts that began while it was slow count as one. */
export function addTimeout(
  tx: Tx,
  ducklingId: string,
  { startedAt, endedAt }: { startedAt: Date; endedAt: Date },
): void {
  const seconds = sql`LEAST(${slowSeconds}::int * 2 ^ LEAST(s."timeouts", 30), ${slowSecondsMax}::int)`
  const isFollowing = sql`s."slowUntil" > ${secondsAfter(startedAt, -day)}::timestamptz`
  beforeCommit(
    tx,
    sql`INSERT INTO "WebhookStanding" AS s ("ducklingId", "timeouts", "slowUntil")
      VALUES (${ducklingId}, 1, ${secondsAfter(endedAt, slowSeconds)}::timestamptz)
      ON CONFLICT ("ducklingId") DO UPDATE SET
        "timeouts" = CASE WHEN ${isFollowing} THEN s."timeouts" + 1 ELSE 1 END,
        "slowUntil" = ${endedAt}::timestamptz
          + CASE WHEN ${isFollowing} THEN ${seconds} ELSE ${slowSeconds}::int END * interval '1 second'
      WHERE s."slowUntil" IS NULL OR s."slowUntil" <= ${startedAt}::timestamptz`,
  )
}

/**
 * Records the result of an attempt. Locks are taken in the order endpoint, delivery, attempt, so that deliveries that fail at the
 * same time cannot deadlock.
 */

/** An endpoint that fails this long without a success is disabled. */
const disableAfterSeconds = 120 * hour
/** The pause after a timeout. Each further timeout without an answer between doubles the pause. */
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
