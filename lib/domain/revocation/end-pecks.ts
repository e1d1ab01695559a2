import { Prisma, type Tx } from '@/lib/db/client'
import { recordPeck, sidesOf } from '@/lib/domain/pecks/record'
import { type PeckRow, readPecks } from '@/lib/domain/pecks/rows'
import { isChangeableAt } from '@/lib/domain/pecks/state'
import { enqueueRevocation } from '@/lib/domain/tlog/enqueue'
import type { EndCause } from '@/lib/infrastructure/events/kinds/peck-data'
import type { Actor } from '@/lib/infrastructure/events/record'
import type { Context } from '@/lib/kernel/context'

/** Ids of the pecks that were ended, without pecks that are hidden from the account. */
export interface EndedPecks {
  cancelledPecks: string[]
  revokedGrants: string[]
}

const sideOf = (id: string) => Prisma.sql`("requesterDucklingId" = ${id} OR "targetDucklingId" = ${id})`
const isGranted = (now: Date) =>
  Prisma.sql`("status" = 'approved' AND "grantRevokedAt" IS NULL AND NOT "grantEndHandled" AND ("maxUses" IS NULL OR "uses" < "maxUses")
    AND ("grantExpiresAt" IS NULL OR "grantExpiresAt" > ${now}::timestamptz))`

/** Returns the condition for the pecks of an account that a command may end, and those whose rejection is not written yet. */
export function isUnfinishedPeckOf(ducklingId: string, now: Date): Prisma.Sql {
  return Prisma.sql`${sideOf(ducklingId)} AND ("status" = 'pending' OR ${isGranted(now)})`
}

/** Which of an account's pecks end, and why. */
export interface PecksToEnd {
  ducklingId: string
  /** Condition for the pending pecks that are cancelled. */
  pending: Prisma.Sql
  /** Condition for the active grants that are revoked. */
  granted: Prisma.Sql
  cause: Extract<EndCause, 'account_closed' | 'account_reclaimed' | 'email_restored'>
}

/** Selects all pecks that the account sent or received: they end when the account is closed. */
export function allPecksOf(ducklingId: string): PecksToEnd {
  return { ducklingId, pending: sideOf(ducklingId), granted: sideOf(ducklingId), cause: 'account_closed' }
}

/**
 * Cancels pending pecks of an account, revokes active grants, and records it for the other side of each. The account must be locked, and the
 * time be read afterwards. A pending peck whose time is up is not cancelled, because it counts as expired, nor one whose rejection can no
 * longer be undone. A peck of a blocked asker is cancelled like any other. If it stayed
 * pending, the asker would notice the block. The account is not told about it.
 */
export async function endPecks(
  tx: Tx,
  context: Context,
  { ducklingId, pending, granted, cause }: PecksToEnd,
): Promise<EndedPecks> {
  const { now } = context
  const cancelled = await readPecks(
    tx,
    Prisma.sql`UPDATE "Peck" SET "status" = 'cancelled', "pendingKey" = NULL, "decidedAt" = ${now}::timestamptz,
        "snoozedUntil" = NULL, "rejectAt" = NULL, "heldRejection" = NULL
      WHERE ${pending} AND ${isChangeableAt(now)} RETURNING *`,
  )
  const revoked = await readPecks(
    tx,
    Prisma.sql`UPDATE "Peck" SET "grantRevokedAt" = ${now}::timestamptz
      WHERE ${granted} AND ${isGranted(now)} RETURNING *`,
  )
  // The undo of a change of address has no caller. Its network and device belong into no log of others.
  const unsigned: Context = { ...context, ip: null, userAgent: null, requestId: null }
  for (const peck of cancelled) recordForOther(tx, unsigned, 'peck.cancelled', peck, { ducklingId, cause })
  for (const peck of revoked) {
    const metadata = enqueueRevocation(tx, peck, now)
    recordForOther(tx, unsigned, 'peck.revoked', peck, { ducklingId, cause, metadata })
  }
  return {
    cancelledPecks: idsVisibleTo(ducklingId, cancelled),
    revokedGrants: idsVisibleTo(ducklingId, revoked),
  }
}

/** The account's own log has one event for all of them: that of the cause. */
function recordForOther(
  tx: Tx,
  context: Context,
  kind: 'peck.cancelled' | 'peck.revoked',
  peck: PeckRow,
  { ducklingId, ...details }: { ducklingId: string; cause: EndCause; metadata?: Record<string, string> },
): void {
  const actor: Actor = { type: 'duckling', id: ducklingId }
  const concerning = sidesOf(peck).filter((id) => id !== ducklingId)
  if (concerning.length > 0) recordPeck(tx, context, kind, peck, { actor, concerning, ...details })
}

/** The lists of the account show every peck except those that a block hides from their target. */
function idsVisibleTo(ducklingId: string, pecks: PeckRow[]): string[] {
  const visible = pecks.filter(
    ({ blocked, requesterDucklingId }) => !blocked || requesterDucklingId === ducklingId,
  )
  return visible.map(({ id }) => id)
}
