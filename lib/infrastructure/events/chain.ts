/**
 * Who may add to the audit log of an account. Commands that run while their session or their account is ended are rolled back, because the
 * log takes no event of theirs.
 */
import { db, type Tx } from '@/lib/db/client'
import { sql } from '@/lib/db/sql'
import { beforeCommit, required } from '@/lib/db/transaction'
import type { Caller, CallerContext, SessionCaller } from '@/lib/kernel/request/context'
import { type Failure, fail } from '@/lib/kernel/request/failures'
import { minute, secondsAfter } from '@/lib/kernel/runtime/clock'
import { enqueue, type OutboxPayloads } from './outbox'

/**
 * What a command of an account throws when the log of the account was closed, or its session was stopped, after the command began. It is
 * rolled back, because closing does not delete what it would add. Events of other accounts are ignored in a closed log.
 */
export function closedFailure(caller: Caller): Failure {
  return fail(caller === null || caller.type === 'duckling' ? 'session_invalid' : 'beak_key_invalid')
}

const chainRule = 'the audit chain of the caller takes the event'

/**
 * Fails the transaction when the log of the caller would not take an event, for a command that records its event later. Otherwise a command
 * of a stopped session would be committed. Waits only for the end of sessions and accounts, not for other events.
 */
export function requireOpenLog(tx: Tx, context: CallerContext<SessionCaller>): void {
  const { id, sessionId } = context.caller
  const statement = sql`
    WITH chain AS (
      SELECT 1 FROM "AuditChain"
      WHERE "ducklingId" = ${id} AND NOT "closed" AND NOT "suspended" AND NOT (${sessionId} = ANY("stoppedSessions")) FOR KEY SHARE)
    SELECT ${required(sql`EXISTS (SELECT 1 FROM chain)`, chainRule)}`
  beforeCommit(tx, statement, { refused: () => closedFailure(context.caller) })
}

/** Seconds after which a request has certainly ended. */
export const inFlightSeconds = 5 * minute

/**
 * Prevents the sessions of an account, all but one or all, also sessions that ended just before, from adding to its log. Waits for their commands
 * that have added to the log and not committed yet, so later reads are complete. The worker clears the list after all
 * requests of these sessions have ended, because every event reads it.
 */
export async function stopSessions(
  tx: Tx,
  ducklingId: string,
  allBut: string | null,
  now: Date,
): Promise<void> {
  await tx.run`
    UPDATE "AuditChain" SET "stoppedSessions" = ARRAY(
      SELECT "id" FROM "Session" WHERE "ducklingId" = ${ducklingId} AND "id" IS DISTINCT FROM ${allBut}::text
        AND ("revokedAt" IS NULL OR "revokedAt" > ${secondsAfter(now, -inFlightSeconds)}::timestamptz))
    WHERE "ducklingId" = ${ducklingId}`
  enqueue(tx, now, 'forget_stopped', { duckling_id: ducklingId }, secondsAfter(now, inFlightSeconds))
}

/** Clears the list of stopped sessions. Called by the worker. */
export async function forgetStopped({
  duckling_id: ducklingId,
}: OutboxPayloads['forget_stopped']): Promise<void> {
  await db().auditChain.updateMany({ where: { ducklingId }, data: { stoppedSessions: [] } })
}

/**
 * Lets the log of a suspended account take no act of the account: sign-ins, and commands of its sessions and agents. Waits for those that have
 * added to the log and not committed yet. Those that add later fail.
 */
export async function suspendChain(tx: Tx, ducklingId: string, isSuspended: boolean): Promise<void> {
  await tx.run`UPDATE "AuditChain" SET "suspended" = ${isSuspended} WHERE "ducklingId" = ${ducklingId}`
}

/** Closes the log of a duckling: the last step of closing its account. */
export function endChain(tx: Tx, ducklingId: string): void {
  beforeCommit(tx, sql`UPDATE "AuditChain" SET "closed" = true WHERE "ducklingId" = ${ducklingId}`)
}
