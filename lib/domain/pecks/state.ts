/**
 * The status of a peck and of its grant at a given time. All can change by the clock alone, so the status is computed from it and does not
 * depend on when the worker writes it to the row. A rejection can still be undone before `rejectAt`: the peck is pending for everybody, and
 * `heldRejection` keeps what the rejection will write. Afterwards every read applies it.
 */
import { freeTextAction } from '@beak/decision/free-text'
import { Prisma, type Tx } from '@/lib/db/client'
import type { Peck } from '@/lib/db/generated/client'
import { type Sql, sql } from '@/lib/db/sql'
import type { GrantStatus, PeckStatus } from '@/lib/infrastructure/events/kinds/peck-data'
import type { Context, OperatorContext } from '@/lib/kernel/request/context'
import { secondsAfter } from '@/lib/kernel/runtime/clock'
import { changePeck, type HeldRejection, type PeckChange, type PeckRow } from './rows'

/**
 * Returns the status. A pending peck with a due rejection is rejected, and one whose time is up is expired, even before the worker has
 * updated the row. `rejectAt` is always before `expiresAt`.
 */
export function statusOf(peck: Pick<Peck, 'status' | 'expiresAt' | 'rejectAt'>, now: Date): PeckStatus {
  if (peck.status !== 'pending') return peck.status
  if (peck.rejectAt !== null && peck.rejectAt <= now) return 'rejected'
  return peck.expiresAt <= now ? 'expired' : 'pending'
}

/**
 * A rejection is final this many seconds before it takes effect. So a change of the peck is committed before anybody can read the peck as
 * rejected, and a status never goes back.
 */
const finalSeconds = 1

/**
 * Returns the status for a command that changes the peck. It counts a rejection that is final. The caller has locked the peck and has read
 * the time afterwards.
 */
export function statusForChange(
  peck: Pick<Peck, 'status' | 'expiresAt' | 'rejectAt'>,
  now: Date,
): PeckStatus {
  const status = statusOf(peck, now)
  return status === 'pending' && isFinal(peck, now) ? 'rejected' : status
}

/** Whether a rejection can no longer be undone. */
export function isFinal({ rejectAt }: Pick<Peck, 'rejectAt'>, now: Date): boolean {
  return rejectAt !== null && rejectAt <= secondsAfter(now, finalSeconds)
}

/** Returns a column of the table "Peck", or of its alias in a statement with several tables. */
const column = (name: keyof Peck, alias?: string) =>
  Prisma.raw(alias === undefined ? `"${name}"` : `${alias}."${name}"`)

/** Tells in SQL whether a peck is pending, as `statusOf` computes it. */
export function isPendingAt(now: Date, alias?: string): Sql {
  return isPendingUntil(now, now, alias)
}

/** Tells in SQL whether a target has approved something of an asker, also an answer to free text: for lists and mails. Both ids as SQL. */
export const hasApproved = (
  targetId: Sql,
  askerId: Sql,
): Sql => sql`EXISTS (SELECT 1 FROM "AskerHistory" known
  WHERE known."targetDucklingId" = ${targetId} AND known."askerId" = ${askerId} AND known."approved" > 0)`

/** Tells in SQL whether a target has permitted something to an asker: for risks and rules. An answer to free text permits nothing. */
export const hasPermitted = (
  targetId: Sql,
  askerId: Sql,
): Sql => sql`EXISTS (SELECT 1 FROM "AskerHistory" known
  WHERE known."targetDucklingId" = ${targetId} AND known."askerId" = ${askerId} AND known."approved" > 0
    AND known."action" <> ${freeTextAction})`

/** Tells `hasApproved` of the sides of a peck. `alias`: of the peck, as SQL. */
export const hasApprovedAsker = (alias: string): Sql =>
  hasApproved(Prisma.raw(`${alias}."targetDucklingId"`), Prisma.raw(`${alias}."askerId"`))

/** Tells `hasPermitted` of the sides of a peck. `alias`: of the peck, as SQL. */
export const knowsAsker = (alias: string): Sql =>
  hasPermitted(Prisma.raw(`${alias}."targetDucklingId"`), Prisma.raw(`${alias}."askerId"`))

/** Tells in SQL whether the risk of a peck says that its asker looks like the target, or like somebody whom the target knows. */
export function isImpostor(alias?: string): Sql {
  const reasons = column('riskReasons', alias)
  // Quotation marks inside of a text are escaped, so no text of an asker has this form.
  return sql`coalesce(${reasons} LIKE '%"rule":"same_name"%' OR ${reasons} LIKE '%"rule":"look_alike"%', false)`
}

/**
 * Tells in SQL whether a peck of `targetId` is of an asker among the known (contract F, Askers): an own agent, an asker of whom something was
 * approved, or one with an invitation or who may always ask. These last two do not hold for an impostor.
 */
export function isAmongKnown(targetId: string, alias?: string): Sql {
  const askerId = column('askerId', alias)
  return sql`(${column('requesterDucklingId', alias)} = ${targetId}
    OR ${askerId} IN (SELECT h."askerId" FROM "AskerHistory" h WHERE h."targetDucklingId" = ${targetId} AND h."approved" > 0)
    OR ((${column('invitationId', alias)} IS NOT NULL
      OR ${askerId} IN (SELECT c."askerId" FROM "Contact" c WHERE c."ducklingId" = ${targetId} AND c."alwaysAt" IS NOT NULL))
      AND NOT ${isImpostor(alias)}))`
}

/** Tells in SQL whether a command may end a pending peck, as `statusForChange` computes it. */
export function isChangeableAt(now: Date): Sql {
  return isPendingUntil(now, secondsAfter(now, finalSeconds))
}

function isPendingUntil(now: Date, rejectedUntil: Date, alias?: string): Sql {
  const rejectAt = column('rejectAt', alias)
  return sql`${column('status', alias)} = 'pending' AND ${column('expiresAt', alias)} > ${now}::timestamptz
    AND (${rejectAt} IS NULL OR ${rejectAt} > ${rejectedUntil}::timestamptz)`
}

/** Tells in SQL whether a rejection has taken effect that the worker has not written yet. */
export function isDueRejectionAt(now: Date): Sql {
  return sql`"status" = 'pending' AND "rejectAt" <= ${now}::timestamptz`
}

/** Tells in SQL whether a pending peck waits for its target now: neither snoozed nor rejected with a time to undo that. */
export function isWaitingAt(now: Date, alias?: string): Sql {
  const snoozedUntil = column('snoozedUntil', alias)
  return sql`${column('rejectAt', alias)} IS NULL AND (${snoozedUntil} IS NULL OR ${snoozedUntil} <= ${now}::timestamptz)`
}

/** Returns in SQL when a pending peck that does not wait for its target waits again, unless it is decided before. Null when it waits now. */
export function backAt(now: Date, alias: string): Sql {
  const until = sql`GREATEST(${column('rejectAt', alias)}, ${column('snoozedUntil', alias)})`
  return sql`CASE WHEN NOT (${isWaitingAt(now, alias)}) THEN ${until} END`
}

type GrantColumns = Pick<
  Peck,
  'status' | 'grantRevokedAt' | 'grantExpiresAt' | 'grantEndHandled' | 'uses' | 'maxUses'
>

/** Returns the status of the permission, or null when the peck was not approved. */
export function grantStatusOf(peck: GrantColumns, now: Date): GrantStatus | null {
  if (peck.status !== 'approved') return null
  if (peck.grantRevokedAt !== null) return 'revoked'
  if (peck.maxUses !== null && peck.uses >= peck.maxUses) return 'consumed'
  // What was told as ended stays ended, also for a call that began before the end and has waited for the lock.
  if (peck.grantEndHandled) return 'expired'
  return peck.grantExpiresAt !== null && peck.grantExpiresAt <= now ? 'expired' : 'active'
}

/** A peck whose rejection has taken effect, with the row perhaps not updated yet. */
export interface DueRejection {
  rejectAt: Date
  held: HeldRejection
}

/** Returns the rejection of a peck that has taken effect and that is not written to the row yet, or null. */
export function dueRejection(
  { rejectAt, heldRejection: held }: Pick<PeckRow, 'rejectAt' | 'heldRejection'>,
  now: Date,
): DueRejection | null {
  return rejectAt === null || held === null || rejectAt > now ? null : { rejectAt, held }
}

/** The columns that only a pending peck has, when it leaves the pending state. */
const noLongerPending = { rejectAt: null, heldRejection: null, snoozedUntil: null }

/** Returns the columns of the rejected peck that both sides may see. */
export function rejectedColumns({ rejectAt, held }: DueRejection) {
  const { reason, wouldApprove, unclear } = held
  return {
    ...noLongerPending,
    status: 'rejected' as const,
    decidedAt: rejectAt,
    reason,
    wouldApprove,
    unclear,
  }
}

/** Returns the peck with a due rejection applied. */
export function withDueRejection(peck: PeckRow, now: Date): PeckRow {
  const due = dueRejection(peck, now)
  return due === null ? peck : { ...peck, ...rejectedColumns(due) }
}

/**
 * Throws `peck_not_pending`, with the current status. A rejection that can no longer be undone counts. `now` must be read after the peck was
 * locked: the body and the lock may have taken so long that the asker has read another status.
 */
export function requirePending({ now, fail }: OperatorContext<'peck_not_pending'>, peck: PeckRow): void {
  const status = statusForChange(peck, now)
  if (status !== 'pending') throw fail('peck_not_pending', { current_status: status })
}

/** Ends the pending state of a locked peck, which the caller found pending, and returns it with its new columns. */
export function leavePending(
  tx: Tx,
  { now }: Pick<Context, 'now'>,
  peck: PeckRow,
  change: PeckChange,
): PeckRow {
  return changePeck(tx, peck, { ...noLongerPending, decidedAt: now, ...change, pendingKey: null })
}
