/** Ends the sessions with tokens that a distrusted key signed. */
import { Prisma } from '@/lib/db/client'
import { batchRows, type ChangedBatch, changeBatch, countInWindows } from '@/lib/db/id-window'
import { record, systemActor } from '@/lib/infrastructure/events/record'
import { signal } from '@/lib/infrastructure/events/signals'
import { systemContext } from '@/lib/kernel/context'

/** Matches live sessions of the key, and sessions without a key, which are older than the column and may belong to it. */
const liveOf = (kid: string, now: Date) => Prisma.sql`
  ("kid" = ${kid} OR "kid" IS NULL) AND "revokedAt" IS NULL AND "expiresAt" > ${now}::timestamptz`

/** Returns how many live sessions the key has signed. */
export function countSessionsSignedBy(kid: string, now: Date): Promise<number> {
  return countInWindows('Session', liveOf(kid, now))
}

/**
 * Ends the next sessions of the key, in order of their ids after `after`, and records the reason in each owner's log. Returns how
 * many were ended and the id to continue after, or null at the end. Safe to run twice, or twice at the same time.
 */
export function endBatchSignedBy(kid: string, after: string, now: Date): Promise<ChangedBatch> {
  return changeBatch('Session', after, async (tx, isInWindow) => {
    const rows = await tx.rows<{ id: string }>`
      SELECT "id" FROM "Session" WHERE ${isInWindow} AND ${liveOf(kid, now)} ORDER BY "id" LIMIT ${batchRows}`
    const found = rows.map(({ id }) => id)
    // Locked in order of their ids, so that two runs do not deadlock.
    const ended = await tx.rows<{ id: string; ducklingId: string }>`
      UPDATE "Session" SET "revokedAt" = ${now}::timestamptz WHERE "id" IN (
        SELECT "id" FROM "Session" WHERE "id" = ANY(${found}::text[]) AND "revokedAt" IS NULL ORDER BY "id" FOR UPDATE
      ) RETURNING "id", "ducklingId"`
    signal(tx, ...ended.map(({ id }) => id))
    for (const [ducklingId, sessionIds] of byOwner(ended)) {
      record(tx, systemContext(now), 'session.revoked', {
        concerning: [ducklingId],
        actor: systemActor,
        targets: sessionIds.map((id) => ({ type: 'session', id })),
        metadata: { kid, reason: 'signing_key_distrusted' },
      })
    }
    return { found, count: ended.length }
  })
}

/** Groups session ids by owner. The owners are in order of their ids, because their logs are locked in that order. */
function byOwner(rows: { id: string; ducklingId: string }[]): [string, string[]][] {
  const owners = new Map<string, string[]>()
  for (const { id, ducklingId } of rows.toSorted((left, right) => (left.id < right.id ? -1 : 1)))
    owners.set(ducklingId, [...(owners.get(ducklingId) ?? []), id])
  return [...owners].sort(([left], [right]) => (left < right ? -1 : 1))
}
