/** Ends the sessions whose tokens a distrusted key signed. */
import { Prisma } from '@/lib/db/client'
import { countInWindows, endOfWindow, inWindow } from '@/lib/db/id-window'
import { transaction } from '@/lib/db/transaction'
import { record, systemActor } from '@/lib/events/record'
import { systemContext } from '@/lib/kernel/context'

/** Sessions that one transaction ends: few enough that nobody waits for it. */
const batch = 200

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
export async function endBatchSignedBy(
  kid: string,
  after: string,
  now: Date,
): Promise<{ count: number; next: string | null }> {
  const end = await endOfWindow('Session', after)
  if (end === null) return { count: 0, next: null }
  return transaction(async (tx) => {
    const found = await tx.$queryRaw<{ id: string }[]>`
      SELECT "id" FROM "Session" WHERE ${inWindow(after, end)} AND ${liveOf(kid, now)} ORDER BY "id" LIMIT ${batch}`
    const ids = found.map(({ id }) => id)
    // Locked in order of their ids, so that two runs do not wait for each other crosswise.
    const ended = await tx.$queryRaw<{ id: string; ducklingId: string }[]>`
      UPDATE "Session" SET "revokedAt" = ${now}::timestamptz WHERE "id" IN (
        SELECT "id" FROM "Session" WHERE "id" = ANY(${ids}::text[]) AND "revokedAt" IS NULL ORDER BY "id" FOR UPDATE
      ) RETURNING "id", "ducklingId"`
    for (const [ducklingId, sessionIds] of byOwner(ended)) {
      await record(tx, systemContext(now), 'session.revoked', {
        concerning: [ducklingId],
        actor: systemActor,
        targets: sessionIds.map((id) => ({ type: 'session', id })),
        metadata: { kid, reason: 'signing_key_distrusted' },
      })
    }
    return { count: ended.length, next: (ids.length === batch ? ids.at(-1) : null) ?? end }
  })
}

/** The ids of each owner, owners in order of their ids: their logs are locked in that order. */
function byOwner(rows: { id: string; ducklingId: string }[]): [string, string[]][] {
  const owners = new Map<string, string[]>()
  for (const { id, ducklingId } of rows.toSorted((left, right) => (left.id < right.id ? -1 : 1)))
    owners.set(ducklingId, [...(owners.get(ducklingId) ?? []), id])
  return [...owners].sort(([left], [right]) => (left < right ? -1 : 1))
}
