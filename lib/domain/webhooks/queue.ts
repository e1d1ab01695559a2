/**
 * The queue of waiting webhooks: one `WebhookQueue` row per account, with the time at which `claim.ts` claims for the account next.
 * A transaction that makes a delivery due also writes this row, so it waits for a running claim of the same account. Therefore
 * either the claim sees the delivery, or the account is claimed again: no delivery is lost.
 *
 * Order of locks: audit chain, endpoint, queue, as the statement that stores events takes them. So a command that locks the queue row or removes an
 * endpoint stores its events before that (`flush`). A change of an endpoint, and a delivery that disables one, lock the endpoint first. Only a removal
 * or a test of the same endpoint at the same moment can deadlock with them: the database ends one of the two, and it is retried.
 */
import { db, type Tx } from '@/lib/db/client'
import { wakeWorker } from '@/lib/infrastructure/events/outbox'
import type { Claim, Outcome } from '@/lib/infrastructure/worker/claim'

export interface Delivery {
  ducklingId: string
  endpointId: string
  deliveryId: string
  round: number
}

/** Enqueues a delivery that is due now. */
export async function enqueueDelivery(tx: Tx, now: Date, delivery: Delivery): Promise<void> {
  const { ducklingId, endpointId, deliveryId, round } = delivery
  await tx.outbox.create({
    data: {
      kind: 'webhook',
      payload: { delivery_id: deliveryId, round },
      dueAt: now,
      createdAt: now,
      ducklingId,
      endpointId,
    },
  })
  await lockQueue(tx, ducklingId, now)
  wakeWorker(tx, 'webhook')
}

/** Locks the account's queue row until the transaction ends, and schedules a claim at `at` or earlier. */
export async function lockQueue(tx: Tx, ducklingId: string, at: Date): Promise<void> {
  await tx.run`
    INSERT INTO "WebhookQueue" AS q ("ducklingId", "dueAt") VALUES (${ducklingId}, ${at}::timestamptz)
    ON CONFLICT ("ducklingId") DO UPDATE SET "dueAt" = LEAST(q."dueAt", EXCLUDED."dueAt")`
}

/** Schedules a claim for the account now, if it is in the queue. Called when a pause ends early. */
export async function wakeAccount(tx: Tx, ducklingId: string, now: Date): Promise<void> {
  await tx.run`
    UPDATE "WebhookQueue" SET "dueAt" = LEAST("dueAt", ${now}::timestamptz) WHERE "ducklingId" = ${ducklingId}`
  wakeWorker(tx, 'webhook')
}

/**
 * Deletes the waiting rows of endpoints. Deliveries in flight keep their slots until they end, so disabling and enabling an
 * endpoint does not open more connections.
 */
export async function deleteWaiting(tx: Tx, endpointIds: string[]): Promise<void> {
  await tx.outbox.deleteMany({ where: { endpointId: { in: endpointIds }, claimedUntil: null } })
}

/** Adds every account with waiting webhooks to the queue. Needed after claims were released or rows were changed by hand. */
export async function rebuildQueue(): Promise<void> {
  await db().run`
    INSERT INTO "WebhookQueue" AS q ("ducklingId", "dueAt")
    SELECT "ducklingId", min("dueAt") FROM "Outbox"
    WHERE "kind" = 'webhook' AND "failedAt" IS NULL AND "ducklingId" IS NOT NULL
    GROUP BY "ducklingId" ORDER BY "ducklingId"
    ON CONFLICT ("ducklingId") DO UPDATE SET "dueAt" = LEAST(q."dueAt", EXCLUDED."dueAt")`
}

/** The claim of an outbox row that occupies a slot of its account. */
export interface Slot extends Claim {
  ducklingId: string
}

/**
 * Ends a claim: deletes or postpones the row, and wakes the account when another row waits for the slot. A row waits exactly when
 * `dueAt` is before the end of this lease (see `scheduleAccounts` in `claim.ts`). `attempts` grows with each claim, so a worker
 * whose lease has ended cannot change a newer claim.
 */
export async function finishWebhook(slot: Slot, outcome: Outcome, now: Date): Promise<void> {
  if (outcome === 'done') await deleteRow(slot, now)
  else if (outcome.dueAt === null) await failRow(slot, outcome.error, now)
  else await postponeRow(slot, outcome.error, outcome.dueAt, now)
}

async function deleteRow({ id, attempts, ducklingId, claimedUntil }: Slot, now: Date): Promise<void> {
  await db().run`
    WITH removed AS (DELETE FROM "Outbox" WHERE "id" = ${id} AND "attempts" = ${attempts}::int)
    UPDATE "WebhookQueue" SET "dueAt" = LEAST("dueAt", ${now}::timestamptz)
    WHERE "ducklingId" = ${ducklingId} AND "dueAt" < ${claimedUntil}::timestamptz`
}

/**
 * Marks the row as failed, and its delivery too: the last attempt may have failed before its result was recorded, and nothing would end the
 * delivery then. Clears account and endpoint, which removes the row from the indexes that claims read.
 */
async function failRow(
  { id, attempts, ducklingId, claimedUntil }: Slot,
  error: string,
  now: Date,
): Promise<void> {
  await db().run`
    WITH ended AS (
      UPDATE "Outbox" SET "claimedUntil" = NULL, "failedAt" = ${now}::timestamptz, "lastError" = ${error},
        "ducklingId" = NULL, "endpointId" = NULL
      WHERE "id" = ${id} AND "attempts" = ${attempts}::int
      RETURNING "payload" ->> 'delivery_id' AS "deliveryId", COALESCE(("payload" ->> 'round')::int, 0) AS "round"
    ), failed AS (
      UPDATE "WebhookDelivery" d SET "status" = 'failed', "nextAttemptAt" = NULL
      FROM ended WHERE d."id" = ended."deliveryId" AND d."round" = ended."round" AND d."status" = 'pending'
    )
    UPDATE "WebhookQueue" SET "dueAt" = LEAST("dueAt", ${now}::timestamptz)
    WHERE "ducklingId" = ${ducklingId} AND "dueAt" < ${claimedUntil}::timestamptz`
}

async function postponeRow(slot: Slot, error: string, dueAt: Date, now: Date): Promise<void> {
  const { id, attempts, ducklingId, claimedUntil } = slot
  await db().run`
    WITH postponed AS (
      UPDATE "Outbox" SET "claimedUntil" = NULL, "dueAt" = ${dueAt}::timestamptz, "lastError" = ${error}
      WHERE "id" = ${id} AND "attempts" = ${attempts}::int
    )
    INSERT INTO "WebhookQueue" AS q ("ducklingId", "dueAt") VALUES (${ducklingId}, ${dueAt}::timestamptz)
    ON CONFLICT ("ducklingId") DO UPDATE SET "dueAt" =
      LEAST(q."dueAt", CASE WHEN q."dueAt" < ${claimedUntil}::timestamptz THEN ${now}::timestamptz ELSE EXCLUDED."dueAt" END)`
}
