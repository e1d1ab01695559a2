/**
 * Claims on rows of the outbox. A claim expires 10 seconds after its last renewal, so the rows of a killed or hung process are
 * worked on by another process then. The end of a claim is computed with the clock of the service, which is the same on all instances.
 */
import { db } from '@/lib/db/client'
import type { OutboxKind } from '@/lib/infrastructure/events/outbox'
import { latest, secondsAfter } from '@/lib/kernel/runtime/clock'
import { gathered } from './loop'

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
  /** When the row counts as late, unless an earlier failure said so. Null for never. */
  lateAt: Date | null
}
export type Outcome = 'done' | FailedOutcome

export interface ClaimedRow extends Claim {
  kind: OutboxKind
  payload: unknown
  /** Writes the outcome, for pools that keep more state than the row. */
  finish?(outcome: Outcome, now: Date): Promise<void>
}

/**
 * Claims the first due rows of some kinds, at most `places`. Looks up each kind separately in the index, so that many due
 * rows of another kind cost nothing. The index has the same order, and begins with `failedAt`: otherwise PostgreSQL sorts all due rows
 * for each claim.
 */
export function claimDue(kinds: OutboxKind[], places: number, now: Date): Promise<ClaimedRow[]> {
  return db().rows<ClaimedRow>`
    WITH due AS MATERIALIZED (
      SELECT row."id" FROM unnest(${kinds}::text[]) AS wanted (kind) CROSS JOIN LATERAL (
        SELECT "id", "dueAt" FROM "Outbox"
        WHERE "kind" = wanted.kind AND "failedAt" IS NULL AND "dueAt" <= ${now}::timestamptz
          AND ("claimedUntil" IS NULL OR "claimedUntil" <= ${now}::timestamptz)
        ORDER BY "failedAt", "dueAt" LIMIT ${places} FOR UPDATE SKIP LOCKED
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

/** The ends that each claim may have in its row, for `unnest`. */
function ownEnds(claims: Claim[]): { ids: bigint[]; attempts: number[]; ends: Date[] } {
  const own = claims.flatMap(({ id, attempts, claimedUntil, earlierEnds = [] }) =>
    [claimedUntil, ...earlierEnds].map((end) => ({ id, attempts, end })),
  )
  return {
    ids: own.map(({ id }) => id),
    attempts: own.map(({ attempts }) => attempts),
    ends: own.map(({ end }) => end),
  }
}

const renew = gathered(async (renewals: { claim: Claim; now: Date }[]) => {
  const claims = renewals.map(({ claim }) => claim)
  const { ids, attempts, ends } = ownEnds(claims)
  const claimedUntil = secondsAfter(latest(renewals.map(({ now }) => now)), claimSeconds)
  // Set before the statement: it may succeed although its reply is lost.
  for (const claim of claims) {
    claim.earlierEnds = [claim.claimedUntil, ...(claim.earlierEnds ?? [])]
    claim.claimedUntil = claimedUntil
  }
  const renewed = await db().rows<{ id: bigint }>`
    UPDATE "Outbox" o SET "claimedUntil" = ${claimedUntil}::timestamptz
    FROM unnest(${ids}::bigint[], ${attempts}::int[], ${ends}::timestamptz[]) AS own ("id", "attempts", "claimedUntil")
    WHERE o."id" = own."id" AND o."attempts" = own."attempts" AND o."claimedUntil" = own."claimedUntil"
    RETURNING o."id"`
  const kept = new Set(renewed.map(({ id }) => id))
  for (const claim of claims) if (kept.has(claim.id)) claim.earlierEnds = []
  return claims.map(({ id }) => kept.has(id))
})

/**
 * Extends a claim to 10 seconds from now, in one statement with other simultaneous renewals. Returns false when the claim is lost or
 * the row is gone.
 */
export function renewClaim(claim: Claim, now: Date): Promise<boolean> {
  return renew({ claim, now })
}

/** Deletes a row whose work is done, in one statement with others, while the claim is ours. */
export const deleteDone = gathered(async (claims: Claim[]): Promise<undefined[]> => {
  const { ids, attempts, ends } = ownEnds(claims)
  await db().run`
    DELETE FROM "Outbox" o
    USING unnest(${ids}::bigint[], ${attempts}::int[], ${ends}::timestamptz[]) AS own ("id", "attempts", "claimedUntil")
    WHERE o."id" = own."id" AND o."attempts" = own."attempts" AND o."claimedUntil" = own."claimedUntil"`
  return claims.map(() => undefined)
})

/** Releases every claim: only for a process that is alone on its database. */
export async function releaseAllClaims(): Promise<void> {
  await db().outbox.updateMany({ where: { claimedUntil: { not: null } }, data: { claimedUntil: null } })
}
