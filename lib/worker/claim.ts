import { db } from '@/lib/db/client'
import type { ClaimedRow, OutboxKind } from '@/lib/infrastructure/events/outbox'
import { secondsAfter } from '@/lib/kernel/clock'

/** How long a row is claimed: a worker that dies gives it back then. */
const claimSeconds = 60

/**
 * Claims the first due rows of some kinds, at most `places`. Looks each kind up on its own by the index, so that many due rows
 * of another kind cost nothing.
 */
export function claimDue(kinds: OutboxKind[], places: number, now: Date): Promise<ClaimedRow[]> {
  return db().$queryRaw<ClaimedRow[]>`
    WITH due AS MATERIALIZED (
      SELECT row."id" FROM unnest(${kinds}::text[]) AS wanted (kind) CROSS JOIN LATERAL (
        SELECT "id", "dueAt" FROM "Outbox"
        WHERE "kind" = wanted.kind AND "failedAt" IS NULL AND "dueAt" <= ${now}::timestamptz
          AND ("claimedUntil" IS NULL OR "claimedUntil" <= ${now}::timestamptz)
        ORDER BY "dueAt", "id" LIMIT ${places} FOR UPDATE SKIP LOCKED
      ) row
      ORDER BY row."dueAt", row."id" LIMIT ${places}
    )
    UPDATE "Outbox" o SET "claimedUntil" = ${secondsAfter(now, claimSeconds)}::timestamptz, "attempts" = o."attempts" + 1
    FROM due WHERE o."id" = due."id"
    RETURNING o."id", o."kind", o."payload", o."attempts", o."claimedUntil"`
}
