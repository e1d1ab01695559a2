/**
 * Claims due webhooks, fairly across accounts and endpoints (contract F, Webhooks in flight). A claim locks the `WebhookQueue` row
 * of an account, so no two instances claim for the same account at the same time. Accounts that are locked are skipped. However
 * long the queues are, a claim reads at most `accountsMax` accounts with 20 endpoints each, and two rows of each endpoint.
 */
import { db, Prisma, type Tx } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { type ClaimedRow, claimSeconds, type Outcome } from '@/lib/infrastructure/worker/claim'
import { secondsAfter } from '@/lib/kernel/runtime/clock'
import { singleton } from '@/lib/kernel/runtime/singleton'
import { finishWebhook, type Slot } from './queue'
import { accountPlaces, limitedGroups, type PlaceGroup, placeGroups, placesOf } from './record-attempt'

/** The highest number of deliveries in flight. */
export const endpointSlots = 2
export const accountSlots = placesOf.known.account
/** Accounts per transaction. */
const accountsMax = 16
/** Transactions per claim. The worker claims again a second later. */
const roundsMax = 20
/**
 * The share of a worker's slots that is reserved for accounts with nothing in flight, so that a few accounts with
 * slow receivers cannot occupy all slots.
 */
const reservedShare = 0.5

type Claimed = ClaimedRow & Slot & { placeGroup: PlaceGroup }

/** The claims of this process whose deliveries run. A claim that was not renewed in time no longer counts. */
const running = () => singleton('webhooks.running', () => new Set<Claimed>())

/** How many deliveries of accounts with few places this worker may start now. */
type Room = Record<(typeof limitedGroups)[number], number>

function roomOf(slots: number, now: Date): Room {
  for (const claim of running()) if (claim.claimedUntil <= now) running().delete(claim)
  const roomFor = (placeGroup: keyof Room) => {
    const taken = [...running()].filter((claim) => claim.placeGroup === placeGroup).length
    return Math.max(0, Math.max(1, Math.floor(slots * placesOf[placeGroup].share)) - taken)
  }
  return { slow: roomFor('slow'), late: roomFor('late'), young: roomFor('young') }
}

/** Claims up to `free` due webhooks for a worker with `slots` slots. A served account moves to the end of the queue. */
export async function claimWebhooks(free: number, slots: number, now: Date): Promise<ClaimedRow[]> {
  const claimed: Claimed[] = []
  const reserved = Math.floor(slots * reservedShare)
  for (let round = 0; round < roundsMax && claimed.length < free; round++) {
    const left = free - claimed.length
    const room = roomOf(slots, now)
    const due = dueAccounts(now, left <= reserved, room)
    const [{ exists } = { exists: false }] = await db().rows<{ exists: boolean }>`
      SELECT EXISTS (SELECT 1 FROM "WebhookQueue" q WHERE ${due}) AS "exists"`
    if (!exists) break
    const { accounts, rows } = await transaction((tx) =>
      serveAccounts(tx, due, { free: left, reserved, room }, now),
    )
    claimed.push(...rows)
    for (const row of rows) running().add(row)
    // All due accounts were served, or another instance has locked the rest.
    if (accounts < accountsMax) break
  }
  // The same object: a renewal changes the end of the claim, by which `finishWebhook` decides whether to wake the account.
  return claimed.map((row) =>
    Object.assign(row, {
      finish: (outcome: Outcome, at: Date) => {
        running().delete(row)
        return finishWebhook(row, outcome, at)
      },
    }),
  )
}

/** Selects the due accounts whose group has room. When only reserved slots are left: those with nothing in flight. */
function dueAccounts(now: Date, isReserved: boolean, room: Room): Prisma.Sql {
  const full = limitedGroups.filter((placeGroup) => room[placeGroup] === 0)
  const hasRoom =
    full.length === 0
      ? Prisma.empty
      : Prisma.sql`AND NOT EXISTS (
          SELECT 1 FROM (${placeGroups(Prisma.sql`ARRAY[q."ducklingId"]`, now)}) a WHERE a."placeGroup" = ANY(${full}::text[]))`
  // Webhooks of a suspended account wait (contract E, Suspended accounts).
  const isDue = Prisma.sql`q."dueAt" <= ${now}::timestamptz ${hasRoom} AND NOT EXISTS (
    SELECT 1 FROM "Duckling" d WHERE d."id" = q."ducklingId" AND d."suspendedAt" IS NOT NULL)`
  if (!isReserved) return isDue
  return Prisma.sql`${isDue} AND NOT EXISTS (
    SELECT 1 FROM "Outbox" o WHERE o."ducklingId" = q."ducklingId" AND o."claimedUntil" > ${now}::timestamptz)`
}

/** The places of this worker that are free, and how many of them are reserved. */
interface Places {
  free: number
  reserved: number
  room: Room
}

/** Claims rows of the accounts that have been due longest. Returns the number of these accounts, and the rows. */
async function serveAccounts(
  tx: Tx,
  due: Prisma.Sql,
  places: Places,
  now: Date,
): Promise<{ accounts: number; rows: Claimed[] }> {
  const accounts = await tx.rows<{ id: string }>`
    SELECT q."ducklingId" AS "id" FROM "WebhookQueue" q WHERE ${due}
    ORDER BY q."dueAt", q."ducklingId" LIMIT ${accountsMax}::int FOR UPDATE SKIP LOCKED`
  if (accounts.length === 0) return { accounts: 0, rows: [] }
  const ids = accounts.map(({ id }) => id)
  // Separate statements, so that they see everything that was committed before the lock was granted.
  const rows = await claimRows(tx, ids, places, now)
  const served = [...new Set(rows.map(({ ducklingId }) => ducklingId))]
  await scheduleAccounts(tx, ids, served, now)
  return { accounts: accounts.length, rows }
}

/** Whether deliveries to an endpoint must wait. Those of a disabled endpoint are claimed and end without being sent. */
const isPaused = (now: Date) =>
  Prisma.sql`COALESCE(e."enabled" AND e."pausedUntil" > ${now}::timestamptz, false)`

/** After a timeout an endpoint has one slot until its receiver answers. */
const slotsOf = Prisma.sql`(CASE WHEN e."timeouts" > 0 THEN 1 ELSE ${endpointSlots}::int END)`

/** The deliveries in flight of these accounts. */
const inFlight = (ids: string[], now: Date) => Prisma.sql`
  SELECT "ducklingId", "endpointId", "claimedUntil" FROM "Outbox"
  WHERE "ducklingId" = ANY(${ids}::text[]) AND "claimedUntil" > ${now}::timestamptz`

/** Rows of endpoint `e` that no worker has claimed. */
const unclaimed = (now: Date) => Prisma.sql`
  o."endpointId" = e."id" AND o."failedAt" IS NULL
  AND (o."claimedUntil" IS NULL OR o."claimedUntil" <= ${now}::timestamptz)`

/**
 * Claims at most `free` rows: first one for each account with nothing in flight, then a second one for each account, and so on.
 * The endpoints of an account take turns in the same way. Locked rows are skipped, because another transaction is about to delete
 * them.
 */
function claimRows(tx: Tx, ids: string[], { free, reserved, room }: Places, now: Date): Promise<Claimed[]> {
  return tx.rows<Claimed>`
    WITH flight AS MATERIALIZED (${inFlight(ids, now)}),
    endpoint AS (
      SELECT e."id", e."ducklingId", ${slotsOf} AS "slots",
        (SELECT count(*) FROM flight f WHERE f."endpointId" = e."id") AS "inFlight"
      FROM "WebhookEndpoint" e WHERE e."ducklingId" = ANY(${ids}::text[]) AND NOT ${isPaused(now)}
    ), waiting AS (
      SELECT e."ducklingId", w."id", w."dueAt",
        e."inFlight" + row_number() OVER (PARTITION BY e."id" ORDER BY w."dueAt", w."id") AS "endpointTurn"
      FROM endpoint e CROSS JOIN LATERAL (
        SELECT o."id", o."dueAt" FROM "Outbox" o WHERE ${unclaimed(now)} AND o."dueAt" <= ${now}::timestamptz
        ORDER BY o."dueAt", o."id" LIMIT GREATEST(0, e."slots" - e."inFlight")
      ) w
    ), turn AS (
      SELECT w."id", w."ducklingId", (SELECT count(*) FROM flight f WHERE f."ducklingId" = w."ducklingId")
        + row_number() OVER (PARTITION BY w."ducklingId" ORDER BY w."endpointTurn", w."dueAt", w."id") AS "turn"
      FROM waiting w
    ), ranked AS (
      SELECT t."id", t."turn", q."dueAt", a."placeGroup",
        row_number() OVER (PARTITION BY a."placeGroup" ORDER BY t."turn", q."dueAt", t."id") AS "rank"
      FROM turn t JOIN "WebhookQueue" q ON q."ducklingId" = t."ducklingId"
      JOIN (${placeGroups(Prisma.sql`${ids}::text[]`, now)}) a ON a."id" = t."ducklingId" WHERE t."turn" <= ${accountPlaces}
    ), ordered AS (
      SELECT r."id", r."turn", r."placeGroup", row_number() OVER (ORDER BY r."turn", r."dueAt", r."id") AS "position"
      FROM ranked r
      WHERE r."rank" <= CASE r."placeGroup" WHEN 'slow' THEN ${room.slow}::int
        WHEN 'late' THEN ${room.late}::int WHEN 'young' THEN ${room.young}::int ELSE ${free}::int END
    ), picked AS (
      SELECT o."id", c."placeGroup" FROM "Outbox" o JOIN ordered c ON c."id" = o."id"
      WHERE c."position" <= ${free}::int - CASE WHEN c."turn" = 1 THEN 0 ELSE ${reserved}::int END
      FOR UPDATE OF o SKIP LOCKED
    )
    UPDATE "Outbox" o SET "claimedUntil" = ${secondsAfter(now, claimSeconds)}::timestamptz, "attempts" = o."attempts" + 1
    FROM picked WHERE o."id" = picked."id"
    RETURNING o."id", o."kind", o."payload", o."attempts", o."ducklingId", o."claimedUntil", picked."placeGroup"`
}

/**
 * Sets the time of the next claim for each account, or removes the account from the queue when it has no rows left:
 * - A row could be sent now, but this worker has no free slot: now, after the other accounts. An account of which nothing was
 *   claimed keeps its position.
 * - A row waits for a slot: just before the first lease ends. By this value `finishWebhook` recognizes that it must wake the account.
 * - A row is due later, or its endpoint is paused: at that time.
 * - Only deliveries in flight are left: when their leases end. This happens only when a worker died.
 * Also deletes rows that are left over from deleted endpoints of the removed accounts.
 */
async function scheduleAccounts(tx: Tx, ids: string[], served: string[], now: Date): Promise<void> {
  await tx.run`
    WITH flight AS MATERIALIZED (${inFlight(ids, now)}),
    account AS (
      SELECT a."id", count(f."claimedUntil") AS "inFlight", max(f."claimedUntil") AS "lastLease",
        GREATEST(min(f."claimedUntil"), ${now}::timestamptz + interval '2 ms') - interval '1 ms' AS "firstLease"
      FROM unnest(${ids}::text[]) AS a("id") LEFT JOIN flight f ON f."ducklingId" = a."id" GROUP BY a."id"
    ), grouped AS (${placeGroups(Prisma.sql`${ids}::text[]`, now)}
    ), endpoint AS (
      SELECT e."ducklingId", GREATEST(w."dueAt", CASE WHEN ${isPaused(now)} THEN e."pausedUntil" END) AS "dueAt",
        (SELECT count(*) FROM flight f WHERE f."endpointId" = e."id") < ${slotsOf} AS "isFree"
      FROM "WebhookEndpoint" e CROSS JOIN LATERAL (
        SELECT o."dueAt" FROM "Outbox" o WHERE ${unclaimed(now)} ORDER BY o."dueAt" LIMIT 1
      ) w
      WHERE e."ducklingId" = ANY(${ids}::text[])
    ), next AS (
      SELECT a."id", LEAST(a."lastLease", min(CASE
        WHEN e."dueAt" > ${now}::timestamptz THEN e."dueAt"
        WHEN e."isFree" AND a."inFlight" < ${accountPlaces} THEN ${now}::timestamptz
        WHEN e."dueAt" IS NOT NULL THEN a."firstLease" END)) AS "dueAt"
      FROM account a JOIN grouped ON grouped."id" = a."id" LEFT JOIN endpoint e ON e."ducklingId" = a."id" GROUP BY a."id", a."lastLease"
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
