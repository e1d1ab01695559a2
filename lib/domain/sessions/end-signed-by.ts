/** Ends the sessions whose tokens a distrusted key signed. */
import { Prisma } from '@/lib/db/client'
import { batchRows, type ChangedBatch, changeBatch, countInWindows } from '@/lib/db/id-window'
import { record, systemActor } from '@/lib/infrastructure/events/record'
import { systemContext } from '@/lib/kernel/context'

/** Live sessions of the key. A session from before the column does not name its key, so it may be one of them. */
const liveOf = (kid: string, now: Date) => Prisma.sql`
  ("kid" = ${kid} OR "kid" IS NULL) AND "revokedAt" IS NULL AND "expiresAt" > ${now}::timestamptz`

/** Returns how many live sessions the key has signed. */
export function countSessionsSignedBy(kid: string, now: Date): Promise<number> {
  return countInWindows('Session', liveOf(kid, now))
}

/**
 * Ends the next sessions of the key, in order of their ids after `after`, and records the reason in each owner's log. Returns how many were
 * ended and where to go on; `next` is null at the end. May run twice or at the same time as another.
 */
export function endBatchSignedBy(kid: string, after: string, now: Date): Promise<ChangedBatch> {
  return changeBatch('Session', after, async (tx, isInWindow) => {
    const rows = await tx.$queryRaw<{ id: string }[]>`
      SELECT "id" FROM "Session" WHERE ${isInWindow} AND ${liveOf(kid, now)} ORDER BY "id" LIMIT ${batchRows}`
    const found = rows.map(({ id }) => id)
    // Locked in order of their ids, so that two runs do not wait for each other crosswise.
    const ended = await tx.$queryRaw<{ id: string; ducklingId: string }[]>`
      UPDATE "Session" SET "revokedAt" = ${now}::timestamptz WHERE "id" IN (
        SELECT "id" FROM "Session" WHERE "id" = ANY(${found}::text[]) AND "revokedAt" IS NULL ORDER BY "id" FOR UPDATE
      ) RETURNING "id", "ducklingId"`
    for (const [ducklingId, sessionIds] of byOwner(ended)) {
      await record(tx, systemContext(now), 'session.revoked', {
        concerning: [ducklingId],
        actor: systemActor,
        targets: sessionIds.map((id) => ({ type: 'session', id })),
        metadata: { kid, reason: 'signing_key_distrusted' },
      })
    }
    return { found, count: ended.length }
  })
}

/** The ids of each owner, owners in order of their ids: their logs are locked in that order. */
function byOwner(rows: { id: string; ducklingId: string }[]): [string, string[]][] {
  const owners = new Map<string, string[]>()
  for (const { id, ducklingId } of rows.toSorted((left, right) => (left.id < right.id ? -1 : 1)))
    owners.set(ducklingId, [...(owners.get(ducklingId) ?? []), id])
  return [...owners].sort(([left], [right]) => (left < right ? -1 : 1))
}
