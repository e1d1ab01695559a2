import { Prisma, type Tx } from '@/lib/db/client'
import { findPeck, type PeckRow, readPecks } from '@/lib/domain/pecks/rows'
import { grantStatusOf, statusOf } from '@/lib/domain/pecks/state'
import type { DucklingContext, SessionCaller } from '@/lib/kernel/context'
import type { Failure } from '@/lib/kernel/failures'

/** The refusal that names where the peck stands. */
export function notPending(context: DucklingContext<'peck_not_pending'>, peck: PeckRow): Failure {
  return context.fail('peck_not_pending', { current_status: statusOf(peck, context.now) })
}

/** Where a grant stands by now, or its peck where that gave none. */
export async function currentGrantStatus(tx: Tx, peck: PeckRow, now: Date): Promise<string> {
  const current = (await findPeck(tx, peck.id)) ?? peck
  return grantStatusOf(current, now) ?? statusOf(current, now)
}

/**
 * Moves a peck on from pending, which works once: of simultaneous decisions the first to get its row wins. `change` are the
 * columns it gets besides. Throws `peck_not_pending`.
 */
export async function leavePending(
  tx: Tx,
  context: DucklingContext<'peck_not_pending'>,
  peck: PeckRow,
  change: Prisma.Sql,
): Promise<PeckRow> {
  const { now } = context
  const [moved] = await readPecks(
    tx,
    Prisma.sql`UPDATE "Peck" SET "pendingKey" = NULL, "decidedAt" = ${now}::timestamptz, ${change}
      WHERE "id" = ${peck.id} AND "status" = 'pending' AND "expiresAt" > ${now}::timestamptz RETURNING *`,
  )
  if (moved) return moved
  throw notPending(context, (await findPeck(tx, peck.id)) ?? peck)
}

/** The columns of a decision, with the session that made it. */
export function decidedBy({ sessionId }: SessionCaller, change: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`"decidedBySession" = ${sessionId}, ${change}`
}

/** Changes a peck whose grant is active; null when it is not, or no longer. */
export async function changeActiveGrant(
  tx: Tx,
  peck: PeckRow,
  now: Date,
  change: Prisma.Sql,
): Promise<PeckRow | null> {
  const [changed] = await readPecks(
    tx,
    Prisma.sql`UPDATE "Peck" SET ${change}
      WHERE "id" = ${peck.id} AND "status" = 'approved' AND "grantRevokedAt" IS NULL
        AND ("maxUses" IS NULL OR "uses" < "maxUses")
        AND ("grantExpiresAt" IS NULL OR "grantExpiresAt" > ${now}::timestamptz) RETURNING *`,
  )
  return changed ?? null
}
