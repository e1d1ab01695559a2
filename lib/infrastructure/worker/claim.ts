/**
 * Claims on rows of the outbox. A claim expires 10 seconds after its last renewal, so the rows of a killed or hung process are
 * worked on by another process then. The end of a claim is computed with the clock of the process: the clocks of instances
 * may differ by a few seconds at most.
 */
import { db } from '@/lib/db/client'
import type { OutboxKind } from '@/lib/infrastructure/events/outbox'
import { secondsAfter } from '@/lib/kernel/clock'

export const claimSeconds = 10

/** What identifies a claim. `renewClaim` changes its end. */
export interface Claim {
  id: bigint
  attempts: number
  claimedUntil: Date
  /** Earlier ends, one of which the row still has when the reply to a renewal was lost. */
  earlierEnds?: Date[]
}

/** The result of a failed attempt. The row is tried again at `dueAt`. When `dueAt` is null, the row is kept as failed. */
export interface FailedOutcome {
  error: string
  dueAt: Date | null
}
export type Outcome = 'done' | FailedOutcome

export interface ClaimedRow extends Claim {
  kind: OutboxKind
  payload: unknown
  /** Writes the outcome, for lanes that keep more state than the row. */
  finish?(outcome: Outcome, now: Date): Promise<void>
}

/**
 * Claims the first due rows of some kinds, at most `places`. Looks up each kind separately in the index, so that many due
 * rows of another kind cost nothing.
 */
export function claimDue(kinds: OutboxKind[], places: number, now: Date): Promise<ClaimedRow[]> {
  return db().rows<ClaimedRow>`
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

/**
 * Matches the row only while the claim is ours. A later claim has another number of attempts or, when a job was postponed in
 * between, another end.
 */
export const ownClaim = ({ id, attempts, claimedUntil, earlierEnds = [] }: Claim) => ({
  id,
  attempts,
  claimedUntil: { in: [claimedUntil, ...earlierEnds] },
})

/** Extends a claim to 10 seconds from now. Returns false when the claim is lost or the row is gone. */
export async function renewClaim(claim: Claim, now: Date): Promise<boolean> {
  const where = ownClaim(claim)
  const claimedUntil = secondsAfter(now, claimSeconds)
  // Set before the statement: it may succeed although its reply is lost.
  claim.earlierEnds = where.claimedUntil.in
  claim.claimedUntil = claimedUntil
  const { count } = await db().outbox.updateMany({ where, data: { claimedUntil } })
  if (count === 1) claim.earlierEnds = []
  return count === 1
}

/** Releases every claim: only for a process that is alone on its database. */
export async function releaseAllClaims(): Promise<void> {
  await db().outbox.updateMany({ where: { claimedUntil: { not: null } }, data: { claimedUntil: null } })
}
