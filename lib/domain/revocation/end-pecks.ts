import { Prisma, type Tx } from '@/lib/db/client'
import { recordPeck, sidesOf } from '@/lib/domain/pecks/record'
import { type PeckRow, readPecks } from '@/lib/domain/pecks/rows'
import type { DucklingContext } from '@/lib/kernel/context'

/** Ids of the pecks that were ended, without pecks that are hidden from the caller. */
export interface EndedPecks {
  cancelledPecks: string[]
  revokedGrants: string[]
}

const sideOf = (id: string) => Prisma.sql`("requesterDucklingId" = ${id} OR "targetDucklingId" = ${id})`
const isPending = (now: Date) => Prisma.sql`("status" = 'pending' AND "expiresAt" > ${now}::timestamptz)`
const isGranted = (now: Date) =>
  Prisma.sql`("status" = 'approved' AND "grantRevokedAt" IS NULL AND ("maxUses" IS NULL OR "uses" < "maxUses")
    AND ("grantExpiresAt" IS NULL OR "grantExpiresAt" > ${now}::timestamptz))`

/** Returns the condition for the pecks that end when the account is closed. */
export function isLivePeckOf(ducklingId: string, now: Date): Prisma.Sql {
  return Prisma.sql`${sideOf(ducklingId)} AND (${isPending(now)} OR ${isGranted(now)})`
}

/** Which of an account's pecks end, and why. */
export interface PecksToEnd {
  /** Condition for the pending pecks that are cancelled. */
  pending: Prisma.Sql
  /** Condition for the active grants that are revoked. */
  granted: Prisma.Sql
  cause: 'account_closed' | 'account_reclaimed'
}

/** Selects all pecks that the account sent or received: they end when the account is closed. */
export function allPecksOf(ducklingId: string): PecksToEnd {
  return { pending: sideOf(ducklingId), granted: sideOf(ducklingId), cause: 'account_closed' }
}

/**
 * Cancels pending pecks of the caller, revokes active grants, and records it for the other side of each. A pending peck whose time
 * is up is not cancelled, because it counts as expired. A peck of a blocked asker is cancelled like any other. If it stayed
 * pending, the asker would notice the block. The caller is not told about it.
 */
export async function endPecks(
  tx: Tx,
  context: DucklingContext,
  { pending, granted, cause }: PecksToEnd,
): Promise<EndedPecks> {
  const { caller, now } = context
  const cancelled = await readPecks(
    tx,
    Prisma.sql`UPDATE "Peck" SET "status" = 'cancelled', "pendingKey" = NULL, "decidedAt" = ${now}::timestamptz
      WHERE ${pending} AND ${isPending(now)} RETURNING *`,
  )
  const revoked = await readPecks(
    tx,
    Prisma.sql`UPDATE "Peck" SET "grantRevokedAt" = ${now}::timestamptz
      WHERE ${granted} AND ${isGranted(now)} RETURNING *`,
  )
  await recordForOthers(tx, context, 'peck.cancelled', cancelled, cause)
  await recordForOthers(tx, context, 'peck.revoked', revoked, cause)
  return {
    cancelledPecks: idsVisibleTo(caller.id, cancelled),
    revokedGrants: idsVisibleTo(caller.id, revoked),
  }
}

/** The caller's own log has one event for all of them: `duckling.closed` or `account.reclaimed`. */
async function recordForOthers(
  tx: Tx,
  context: DucklingContext,
  kind: 'peck.cancelled' | 'peck.revoked',
  pecks: PeckRow[],
  cause: PecksToEnd['cause'],
): Promise<void> {
  for (const peck of pecks) {
    const concerning = sidesOf(peck).filter((id) => id !== context.caller.id)
    if (concerning.length > 0) recordPeck(tx, context, kind, peck, { concerning, metadata: { cause } })
  }
}

function idsVisibleTo(ducklingId: string, pecks: PeckRow[]): string[] {
  return pecks.filter((peck) => sidesOf(peck).includes(ducklingId)).map(({ id }) => id)
}
