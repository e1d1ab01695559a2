import { Prisma, type Tx } from '@/lib/db/client'
import type { EventKind } from '@/lib/infrastructure/events/kinds'
import { record } from '@/lib/infrastructure/events/record'
import { signal } from '@/lib/infrastructure/events/signals'
import type { DucklingContext } from '@/lib/kernel/context'

/** Which sessions to end: one, all except one, or all. */
export type SessionChoice = { only: string } | { allBut: string } | 'all'

function condition(choice: SessionChoice): Prisma.Sql {
  if (choice === 'all') return Prisma.empty
  return 'only' in choice ? Prisma.sql`AND "id" = ${choice.only}` : Prisma.sql`AND "id" <> ${choice.allBut}`
}

/** Ends live sessions of a duckling, with their streams, and returns their ids, oldest first. Records no event. */
export async function endSessionsOf(
  tx: Tx,
  ducklingId: string,
  choice: SessionChoice,
  now: Date,
): Promise<string[]> {
  const ended = await tx.rows<{ id: string }>`
    UPDATE "Session" SET "revokedAt" = ${now}::timestamptz
    WHERE "ducklingId" = ${ducklingId} AND "revokedAt" IS NULL AND "expiresAt" > ${now}::timestamptz ${condition(choice)}
    RETURNING "id"`
  const ids = ended.map(({ id }) => id).sort()
  signal(tx, ...ids)
  return ids
}

/**
 * Ends live sessions of the caller, records the event and returns their ids, oldest first. Every instance rejects
 * their tokens from the next request on, because every request reads its session's row (contract A).
 */
export async function endSessions(
  tx: Tx,
  context: DucklingContext,
  choice: SessionChoice,
  kind: Extract<EventKind, 'session.ended' | 'session.revoked'>,
): Promise<string[]> {
  const ids = await endSessionsOf(tx, context.caller.id, choice, context.now)
  if (ids.length > 0) record(tx, context, kind, { targets: ids.map((id) => ({ type: 'session', id })) })
  return ids
}
