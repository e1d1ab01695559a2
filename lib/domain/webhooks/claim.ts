/**
 * Claims due webhooks, fairly across accounts and endpoints (contract F, Webhooks in flight). Claims of one account exclude each other on
 * every instance by the lock on its `WebhookQueue` row; accounts that another instance is serving are skipped. A claim reads at
 * most `accountsMax` accounts with 20 endpoints each, and two rows of an endpoint, however long the queues are.
 */
import { db, Prisma, type Tx } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { type ClaimedRow, claimSeconds, type Outcome } from '@/lib/infrastructure/worker/claim'
import { secondsAfter } from '@/lib/kernel/clock'
import { finishWebhook, type Place } from './queue'

/** Deliveries in flight at most (contract F). */
export const endpointPlaces = 2
export const accountPlaces = 6
/** Accounts that are served in one transaction. */
const accountsMax = 16
/** Transactions of one claim: the next one is a second away. */
const roundsMax = 20
/**
 * Spec silent: half the places of a worker are only for accounts with nothing in flight, so that a few accounts with slow
 * receivers cannot occupy all of them.
 */
const sharedPart = 0.5

type Claimed = ClaimedRow & Place

/**
 * Claims up to `free` due webhooks for a worker with `places` places. An account that was served goes behind the others.
 */
export async function claimWebhooks(free: number, places: number, now: Date): Promise<ClaimedRow[]> {
  const claimed: Claimed[] = []
  const reserved = Math.floor(places * (1 - sharedPart))
  for (let round = 0; round < roundsMax && claimed.length < free; round++) {
    const left = free - claimed.length
    const due = dueAccounts(now, left <= reserved)
    const [{ exists } = { exists: false }] = await db().$queryRaw<{ exists: boolean }[]>`
      SELECT EXISTS (SELECT 1 FROM "WebhookQueue" q WHERE ${due}) AS "exists"`
    if (!exists) break
    const { accounts, rows } = await transaction((tx) => serveAccounts(tx, due, left, reserved, now))
    claimed.push(...rows)
    // All were served, or another instance is serving the rest.
    if (accounts < accountsMax) break
  }
  // The same object: a renewal changes the end of the claim, by which `finishWebhook` decides whether to wake the account.
  return claimed.map((row) =>
    Object.assign(row, { finish: (outcome: Outcome, at: Date) => finishWebhook(row, outcome, at) }),
  )
}

/** Where only the reserved places are left: accounts with nothing in flight. */
function dueAccounts(now: Date, isReserved: boolean): Prisma.Sql {
  const isDue = Prisma.sql`q."dueAt" <= ${now}::timestamptz`
  if (!isReserved) return isDue
  return Prisma.sql`${isDue} AND NOT EXISTS (
    SELECT 1 FROM "Outbox" o WHERE o."ducklingId" = q."ducklingId" AND o."claimedUntil" > ${now}::timestamptz)`
}

/** Claims rows of the accounts that are due longest, in one transaction. Returns how many accounts those were, and the rows. */
async function serveAccounts(
  tx: Tx,
  due: Prisma.Sql,
  free: number,
  reserved: number,
  now: Date,
): Promise<{ accounts: number; rows: Claimed[] }> {
  const accounts = await tx.$queryRaw<{ id: string }[]>`
    SELECT q."ducklingId" AS "id" FROM "WebhookQueue" q WHERE ${due}
    ORDER BY q."dueAt", q."ducklingId" LIMIT ${accountsMax}::int FOR UPDATE SKIP LOCKED`
  if (accounts.length === 0) return { accounts: 0, rows: [] }
  const ids = accounts.map(({ id }) => id)
  // Statements of their own: they see everything that was committed before the lock.
  const rows = await claimRows(tx, ids, free, reserved, now)
  const served = [...new Set(rows.map(({ ducklingId }) => ducklingId))]
  await scheduleAccounts(tx, ids, served, now)
  return { accounts: accounts.length, rows }
}

/** Whether an endpoint takes no deliveries for now. One that is off takes them: they end without being sent. */
const isPaused = (now: Date) =>
  Prisma.sql`COALESCE(e."enabled" AND e."pausedUntil" > ${now}::timestamptz, false)`

/** After a timeout one delivery at a time, until the receiver answers. */
const placesOf = Prisma.sql`(CASE WHEN e."timeouts" > 0 THEN 1 ELSE ${endpointPlaces}::int END)`

/** Deliveries in flight of the accounts named. */
const inFlight = (ids: string[], now: Date) => Prisma.sql`
  SELECT "ducklingId", "endpointId", "claimedUntil" FROM "Outbox"
  WHERE "ducklingId" = ANY(${ids}::text[]) AND "claimedUntil" > ${now}::timestamptz`

/** Rows of endpoint `e` that nobody has claimed. */
const unclaimed = (now: Date) => Prisma.sql`
  o."endpointId" = e."id" AND o."failedAt" IS NULL
  AND (o."claimedUntil" IS NULL OR o."claimedUntil" <= ${now}::timestamptz)`

/**
 * Claims at most `free` rows: first one for each account with nothing in flight, then second ones, and so on; within an
 * account by endpoint in the same way. A row that is locked belongs to somebody who is about to remove it.
 */
function claimRows(tx: Tx, ids: string[], free: number, reserved: number, now: Date): Promise<Claimed[]> {
  return tx.$queryRaw<Claimed[]>`
    WITH flying AS MATERIALIZED (${inFlight(ids, now)}),
    endpoint AS (
      SELECT e."id", e."ducklingId", ${placesOf} AS "places",
        (SELECT count(*) FROM flying f WHERE f."endpointId" = e."id") AS "flying"
      FROM "WebhookEndpoint" e WHERE e."ducklingId" = ANY(${ids}::text[]) AND NOT ${isPaused(now)}
    ), waiting AS (
      SELECT e."ducklingId", w."id", w."dueAt",
        e."flying" + row_number() OVER (PARTITION BY e."id" ORDER BY w."dueAt", w."id") AS "endpointTurn"
      FROM endpoint e CROSS JOIN LATERAL (
        SELECT o."id", o."dueAt" FROM "Outbox" o WHERE ${unclaimed(now)} AND o."dueAt" <= ${now}::timestamptz
        ORDER BY o."dueAt", o."id" LIMIT GREATEST(0, e."places" - e."flying")
      ) w
    ), turn AS (
      SELECT w."id", w."ducklingId", (SELECT count(*) FROM flying f WHERE f."ducklingId" = w."ducklingId")
        + row_number() OVER (PARTITION BY w."ducklingId" ORDER BY w."endpointTurn", w."dueAt", w."id") AS "turn"
      FROM waiting w
    ), ordered AS (
      SELECT t."id", t."turn", row_number() OVER (ORDER BY t."turn", q."dueAt", t."id") AS "place"
      FROM turn t JOIN "WebhookQueue" q ON q."ducklingId" = t."ducklingId" WHERE t."turn" <= ${accountPlaces}::int
    )
    UPDATE "Outbox" SET "claimedUntil" = ${secondsAfter(now, claimSeconds)}::timestamptz, "attempts" = "attempts" + 1
    WHERE "id" IN (
      SELECT o."id" FROM "Outbox" o JOIN ordered c ON c."id" = o."id"
      WHERE c."place" <= ${free}::int - CASE WHEN c."turn" = 1 THEN 0 ELSE ${reserved}::int END
      FOR UPDATE OF o SKIP LOCKED
    )
    RETURNING "id", "kind", "payload", "attempts", "ducklingId", "claimedUntil"`
}

/**
 * Sets when each account is looked at next, or takes it out of the queue when nothing of it is left.
 * - Something could be sent now, had this worker a place: now, behind the others; an account that got nothing keeps its turn.
 * - Something waits for a place: just before the first lease ends. Whoever gives a place back sees by that to wake the account.
 * - Something is due later, or its endpoint is paused: then.
 * - Only deliveries in flight are left: when their leases end, which happens only if a worker died.
 * An account that is out of the queue has no rows but those of deleted endpoints: some of these go with it.
 */
async function scheduleAccounts(tx: Tx, ids: string[], served: string[], now: Date): Promise<void> {
  await tx.$executeRaw`
    WITH flying AS MATERIALIZED (${inFlight(ids, now)}),
    account AS (
      SELECT a."id", count(f."claimedUntil") AS "flying", max(f."claimedUntil") AS "lastLease",
        GREATEST(min(f."claimedUntil"), ${now}::timestamptz + interval '2 ms') - interval '1 ms' AS "firstLease"
      FROM unnest(${ids}::text[]) AS a("id") LEFT JOIN flying f ON f."ducklingId" = a."id" GROUP BY a."id"
    ), endpoint AS (
      SELECT e."ducklingId", GREATEST(w."dueAt", CASE WHEN ${isPaused(now)} THEN e."pausedUntil" END) AS "dueAt",
        (SELECT count(*) FROM flying f WHERE f."endpointId" = e."id") < ${placesOf} AS "isFree"
      FROM "WebhookEndpoint" e CROSS JOIN LATERAL (
        SELECT o."dueAt" FROM "Outbox" o WHERE ${unclaimed(now)} ORDER BY o."dueAt" LIMIT 1
      ) w
      WHERE e."ducklingId" = ANY(${ids}::text[])
    ), next AS (
      SELECT a."id", LEAST(a."lastLease", min(CASE
        WHEN e."dueAt" > ${now}::timestamptz THEN e."dueAt"
        WHEN e."isFree" AND a."flying" < ${accountPlaces}::int THEN ${now}::timestamptz
        WHEN e."dueAt" IS NOT NULL THEN a."firstLease" END)) AS "dueAt"
      FROM account a LEFT JOIN endpoint e ON e."ducklingId" = a."id" GROUP BY a."id", a."lastLease"
    ), moved AS (
      UPDATE "WebhookQueue" q SET "dueAt" = n."dueAt" FROM next n
      WHERE q."ducklingId" = n."id" AND n."dueAt" IS NOT NULL
        AND (n."dueAt" > ${now}::timestamptz OR q."ducklingId" = ANY(${served}::text[]))
    ), emptied AS (
      DELETE FROM "WebhookQueue" q USING next n WHERE q."ducklingId" = n."id" AND n."dueAt" IS NULL
      RETURNING q."ducklingId"
    )
    DELETE FROM "Outbox" WHERE "id" IN (
      SELECT o."id" FROM "Outbox" o JOIN emptied ON emptied."ducklingId" = o."ducklingId" LIMIT 500
      FOR UPDATE OF o SKIP LOCKED
    )`
}
