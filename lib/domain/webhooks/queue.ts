/**
 * The queue of waiting webhooks: one `WebhookQueue` row per account, with the time at which `claim.ts` next looks at the account.
 * Whoever makes a delivery due writes that row in the same transaction, and so waits for a claim of the same account that is
 * running: the claim sees either the delivery or the newer `dueAt`, so no delivery is forgotten.
 *
 * Order of locks: endpoint, audit chain, queue. A transaction that takes the queue row takes it last.
 */
import { db, type Tx } from '@/lib/db/client'
import { onCommit } from '@/lib/db/transaction'
import { nudgeOutbox } from '@/lib/infrastructure/events/outbox'
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
  onCommit(tx, nudgeOutbox)
}

/** Locks the account's queue row until the transaction ends, and has the account looked at by `at`. */
export async function lockQueue(tx: Tx, ducklingId: string, at: Date): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO "WebhookQueue" AS q ("ducklingId", "dueAt") VALUES (${ducklingId}, ${at}::timestamptz)
    ON CONFLICT ("ducklingId") DO UPDATE SET "dueAt" = LEAST(q."dueAt", EXCLUDED."dueAt")`
}

/** Has the account looked at now, if anything of it waits: for a pause that ended early. */
export async function wakeAccount(tx: Tx, ducklingId: string, now: Date): Promise<void> {
  await tx.$executeRaw`
    UPDATE "WebhookQueue" SET "dueAt" = LEAST("dueAt", ${now}::timestamptz) WHERE "ducklingId" = ${ducklingId}`
  onCommit(tx, nudgeOutbox)
}

/**
 * Removes what waits for endpoints. Deliveries in flight stay: they occupy their places until they end, so that switching
 * an endpoint off and on does not open more connections.
 */
export async function dropWaiting(tx: Tx, endpointIds: string[]): Promise<void> {
  await tx.outbox.deleteMany({ where: { endpointId: { in: endpointIds }, claimedUntil: null } })
}

/** Puts every account with waiting webhooks into the queue: after claims were released or rows were changed by hand. */
export async function rebuildQueue(): Promise<void> {
  await db().$executeRaw`
    INSERT INTO "WebhookQueue" AS q ("ducklingId", "dueAt")
    SELECT "ducklingId", min("dueAt") FROM "Outbox"
    WHERE "kind" = 'webhook' AND "failedAt" IS NULL AND "ducklingId" IS NOT NULL
    GROUP BY "ducklingId" ORDER BY "ducklingId"
    ON CONFLICT ("ducklingId") DO UPDATE SET "dueAt" = LEAST(q."dueAt", EXCLUDED."dueAt")`
}

/** The claim of an outbox row that occupies a place of its account. */
export interface Place extends Claim {
  ducklingId: string
}

/**
 * Ends a claim: removes the row or puts it off, and wakes the account when something waits for the place. That is so exactly
 * when `dueAt` lies before the end of this lease (see `scheduleAccounts` in `claim.ts`). `attempts` grows with each claim:
 * a worker that was too slow changes nothing of the claim that followed.
 */
export async function finishWebhook(place: Place, outcome: Outcome, now: Date): Promise<void> {
  if (outcome === 'done') await removeRow(place, now)
  else if (outcome.dueAt === null) await giveUpRow(place, outcome.error, now)
  else await putOffRow(place, outcome.error, outcome.dueAt, now)
}

async function removeRow({ id, attempts, ducklingId, claimedUntil }: Place, now: Date): Promise<void> {
  await db().$executeRaw`
    WITH removed AS (DELETE FROM "Outbox" WHERE "id" = ${id} AND "attempts" = ${attempts}::int)
    UPDATE "WebhookQueue" SET "dueAt" = LEAST("dueAt", ${now}::timestamptz)
    WHERE "ducklingId" = ${ducklingId} AND "dueAt" < ${claimedUntil}::timestamptz`
}

/** A row without account and endpoint is out of the indexes that claims read, however many are kept. */
async function giveUpRow(
  { id, attempts, ducklingId, claimedUntil }: Place,
  error: string,
  now: Date,
): Promise<void> {
  await db().$executeRaw`
    WITH ended AS (
      UPDATE "Outbox" SET "claimedUntil" = NULL, "failedAt" = ${now}::timestamptz, "lastError" = ${error},
        "ducklingId" = NULL, "endpointId" = NULL
      WHERE "id" = ${id} AND "attempts" = ${attempts}::int
    )
    UPDATE "WebhookQueue" SET "dueAt" = LEAST("dueAt", ${now}::timestamptz)
    WHERE "ducklingId" = ${ducklingId} AND "dueAt" < ${claimedUntil}::timestamptz`
}

async function putOffRow(place: Place, error: string, dueAt: Date, now: Date): Promise<void> {
  const { id, attempts, ducklingId, claimedUntil } = place
  await db().$executeRaw`
    WITH put_off AS (
      UPDATE "Outbox" SET "claimedUntil" = NULL, "dueAt" = ${dueAt}::timestamptz, "lastError" = ${error}
      WHERE "id" = ${id} AND "attempts" = ${attempts}::int
    )
    INSERT INTO "WebhookQueue" AS q ("ducklingId", "dueAt") VALUES (${ducklingId}, ${dueAt}::timestamptz)
    ON CONFLICT ("ducklingId") DO UPDATE SET "dueAt" =
      LEAST(q."dueAt", CASE WHEN q."dueAt" < ${claimedUntil}::timestamptz THEN ${now}::timestamptz ELSE EXCLUDED."dueAt" END)`
}
