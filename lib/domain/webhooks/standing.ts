/**
 * How many places the webhooks of an account get in a worker (contract F, Webhooks in flight). Receivers that do not answer hold a place
 * until the time limit. So accounts whose receivers did that lately, and young accounts whose receivers never answered, have one place each, and
 * places of their own together. An account whose receivers have answered before does not wait for those that never did.
 */
import { Prisma, type Tx } from '@/lib/db/client'
import { type Sql, sql } from '@/lib/db/sql'
import { beforeCommit } from '@/lib/db/transaction'
import { day, hour, minute, secondsAfter } from '@/lib/kernel/clock'

/** Slow: a receiver did not answer lately. Late: the same, and one had answered before. */
export type Standing = 'slow' | 'late' | 'young' | 'known'

/** The standings whose accounts share few places. */
export const limitedStandings = ['slow', 'late', 'young'] as const

/**
 * The places of one account, and the share of a worker's places that all accounts of that standing have together. Many new accounts whose receivers
 * hang need as many places: each has one, so that a further new account does not wait for them.
 */
export const placesOf: Record<Standing, { account: number; share: number }> = {
  slow: { account: 1, share: 1 / 8 },
  late: { account: 1, share: 1 / 8 },
  young: { account: 1, share: 1 / 2 },
  known: { account: 6, share: 1 },
}

/** The age of an account from which it counts as known, also when no receiver of it has ever answered. */
const youngSeconds = 7 * day
/** How long an account is slow after a timeout. Each further period that follows within a day is twice as long. */
const slowSeconds = minute
const slowSecondsMax = hour

/** Selects the standing of the accounts with these ids, as "id" and "standing". */
export function standings(ids: Sql, now: Date): Sql {
  return sql`
    SELECT a."id", CASE
      WHEN s."slowUntil" > ${now}::timestamptz THEN CASE WHEN s."answeredAt" IS NULL THEN 'slow' ELSE 'late' END
      WHEN s."answeredAt" IS NULL AND d."createdAt" > ${secondsAfter(now, -youngSeconds)}::timestamptz THEN 'young' ELSE 'known' END AS "standing"
    FROM unnest(${ids}) AS a("id") LEFT JOIN "Duckling" d ON d."id" = a."id" LEFT JOIN "WebhookStanding" s ON s."ducklingId" = a."id"`
}

/** The places of an account, from its column "standing". */
export const accountPlaces: Sql = Prisma.sql`(CASE "standing" WHEN 'slow' THEN ${placesOf.slow.account}::int
  WHEN 'late' THEN ${placesOf.late.account}::int WHEN 'young' THEN ${placesOf.young.account}::int ELSE ${placesOf.known.account}::int END)`

/** Records that a receiver of the account answered in time, at the end of the transaction. Writes only the first time. */
export function addAnswer(tx: Tx, ducklingId: string, at: Date): void {
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
