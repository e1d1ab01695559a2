import { Prisma, type Tx } from '@/lib/db/client'
import { recordPeck, sidesOf } from '@/lib/domain/pecks/record'
import { type PeckRow, readPecks } from '@/lib/domain/pecks/rows'
import type { DucklingContext } from '@/lib/kernel/context'

/** The ids of what the caller may know of. */
export interface Withdrawn {
  cancelledPecks: string[]
  revokedGrants: string[]
}

const sideOf = (id: string) => Prisma.sql`("requesterDucklingId" = ${id} OR "targetDucklingId" = ${id})`
const isPending = (now: Date) => Prisma.sql`("status" = 'pending' AND "expiresAt" > ${now}::timestamptz)`
const isGranted = (now: Date) =>
  Prisma.sql`("status" = 'approved' AND "grantRevokedAt" IS NULL AND ("maxUses" IS NULL OR "uses" < "maxUses")
    AND ("grantExpiresAt" IS NULL OR "grantExpiresAt" > ${now}::timestamptz))`

/** The condition of the pecks that a closing ends. */
export function livePecks(ducklingId: string, now: Date): Prisma.Sql {
  return Prisma.sql`${sideOf(ducklingId)} AND (${isPending(now)} OR ${isGranted(now)})`
}

/** Which of an account's pecks are withdrawn, and why. */
export interface Withdrawal {
  /** Condition on the pending pecks that are cancelled. */
  pending: Prisma.Sql
  /** Condition on the live grants that are revoked. */
  granted: Prisma.Sql
  cause: 'account_closed' | 'account_reclaimed'
}

/** Everything the account asked and was asked: what a closing withdraws. */
export function allPecks(ducklingId: string): Withdrawal {
  return { pending: sideOf(ducklingId), granted: sideOf(ducklingId), cause: 'account_closed' }
}

/**
 * Cancels pending pecks of the caller and revokes live grants, and tells the other side of each. What nobody answered in time is
 * left to become `expired`. A peck of somebody the caller had blocked is cancelled like any other, or its asker would see by that
 * one that they were blocked; the caller still learns nothing of it.
 */
export async function withdrawPecks(
  tx: Tx,
  context: DucklingContext,
  { pending, granted, cause }: Withdrawal,
): Promise<Withdrawn> {
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
  await tellOthers(tx, context, 'peck.cancelled', cancelled, cause)
  await tellOthers(tx, context, 'peck.revoked', revoked, cause)
  return { cancelledPecks: knownTo(caller.id, cancelled), revokedGrants: knownTo(caller.id, revoked) }
}

/** The caller's own log says it in one event: that of the closing, or of the reclaiming. */
async function tellOthers(
  tx: Tx,
  context: DucklingContext,
  kind: 'peck.cancelled' | 'peck.revoked',
  pecks: PeckRow[],
  cause: Withdrawal['cause'],
): Promise<void> {
  for (const peck of pecks) {
    const concerning = sidesOf(peck).filter((id) => id !== context.caller.id)
    if (concerning.length > 0) await recordPeck(tx, context, kind, peck, { concerning, metadata: { cause } })
  }
}

function knownTo(ducklingId: string, pecks: PeckRow[]): string[] {
  return pecks.filter((peck) => sidesOf(peck).includes(ducklingId)).map(({ id }) => id)
}
