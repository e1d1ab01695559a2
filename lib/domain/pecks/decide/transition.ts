import { Prisma, type Tx } from '@/lib/db/client'
import { findPeck, type PeckRow, readPecks } from '@/lib/domain/pecks/rows'
import { grantStatusOf, statusOf } from '@/lib/domain/pecks/state'
import type { DucklingContext, SessionCaller } from '@/lib/kernel/context'
import type { Failure } from '@/lib/kernel/failures'

/** Returns the failure for a peck that is no longer pending, with its current status. */
export function notPending(context: DucklingContext<'peck_not_pending'>, peck: PeckRow): Failure {
  return context.fail('peck_not_pending', { current_status: statusOf(peck, context.now) })
}

/** Reads the peck again and returns the status of its grant, or of the peck when it has no grant. */
export async function currentGrantStatus(tx: Tx, peck: PeckRow, now: Date): Promise<string> {
  const current = (await findPeck(tx, peck.id)) ?? peck
  return grantStatusOf(current, now) ?? statusOf(current, now)
}

/**
 * Ends the pending state of a peck and sets the columns in `change`. Of simultaneous decisions, only the first one succeeds.
 * Throws `peck_not_pending`.
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

/** Adds the session that decided to the columns of a decision. */
export function withDecider({ sessionId }: SessionCaller, change: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`"decidedBySession" = ${sessionId}, ${change}`
}

/** Sets columns of a peck whose grant is active. Returns null when the grant is not active. */
export async function updateActiveGrant(
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
