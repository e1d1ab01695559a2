import type { z } from 'zod'
import { batchRows, type ChangedBatch, changeBatch, countInWindows } from '@/lib/db/batch'
import { Prisma, type Tx } from '@/lib/db/client'
import { type Sql, sql } from '@/lib/db/sql'
import { transaction } from '@/lib/db/transaction'
import { record, systemActor } from '@/lib/infrastructure/events/record'
import { signal } from '@/lib/infrastructure/events/signals'
import { type DucklingContext, systemContext } from '@/lib/kernel/request/context'
import { announceChange } from './announce-change'
import { removeDevices } from './devices'
import { endSessions, withdrawApprovals } from './end'
import { endSiteSignIns } from './end-site-sign-ins'
import { isOwnSignIn, lockDuckling, type ProofFailure, requireProof } from './proof'
import type { RevokedThing } from './schema'

interface Revoked {
  success: true
  /** How many sessions and approvals of devices ended. */
  revoked: number
  /** Agents whose connections ended too. */
  disconnected_agents?: string[]
}

/** Ends more in the same transaction. */
type AlsoEnd = (tx: Tx) => Promise<string[]>

/**
 * Ends what the owner names: a session, the approval of a device, or all but the current session. Throws `session_not_found` and the failures
 * of `requireProof`.
 */
export function revoke(
  context: DucklingContext<'session_not_found' | ProofFailure>,
  { session_id, device_request_id }: Omit<z.output<typeof RevokedThing>, 'connected_agents'>,
  alsoEnd?: AlsoEnd,
): Promise<Revoked> {
  if (session_id !== undefined) return revokeSession(context, session_id)
  return device_request_id === undefined
    ? revokeOtherSessions(context, alsoEnd)
    : revokeApproval(context, device_request_id)
}

/**
 * Throws unless the caller may end other sessions (contract F, Sensitive changes): a session that began with a code may end those of codes and
 * devices. It takes a recent proof to end one that signed in with a passkey, because a thief of the mailbox would sign the owner out.
 */
async function requireProofToEnd(tx: Tx, context: DucklingContext<ProofFailure>, chosen: Sql): Promise<void> {
  const { caller, now } = context
  const [{ isGuarded } = { isGuarded: false }] = await tx.rows<{ isGuarded: boolean }>`
    SELECT EXISTS (SELECT 1 FROM "Session" WHERE "ducklingId" = ${caller.id} AND "revokedAt" IS NULL
      AND "expiresAt" > ${now}::timestamptz AND ('pop' = ANY("amr") OR "passkeyAt" IS NOT NULL) AND ${chosen}) AS "isGuarded"`
  if (isGuarded || !isOwnSignIn(caller)) await requireProof(tx, context)
}

/**
 * Ends one of the caller's sessions, removes the known device that it signed in from. Throws `session_not_found` when the session
 * has ended or belongs to somebody else, and the failures of `requireProof`. The caller may end the current session, which is a sign-out.
 */
function revokeSession(
  context: DucklingContext<'session_not_found' | ProofFailure>,
  sessionId: string,
): Promise<Revoked> {
  return transaction(async (tx) => {
    const isOther = sessionId !== context.caller.sessionId
    if (isOther) await requireProofToEnd(tx, context, sql`"id" = ${sessionId}`)
    const ended = await endSessions(tx, context, { only: sessionId }, 'session.revoked')
    if (ended.length === 0) throw context.fail('session_not_found')
    if (isOther) announceChange(tx, context, 'sessions_ended')
    await removeDevices(tx, sql`"ducklingId" = ${context.caller.id} AND "sessionId" = ${sessionId}`)
    return { success: true, revoked: ended.length }
  })
}

/**
 * Takes back the approval of a device that has not signed in yet. Throws `session_not_found` when no such device of the caller is left: it
 * has signed in meanwhile, its time is over, or it belongs to somebody else.
 */
function revokeApproval(context: DucklingContext<'session_not_found'>, requestId: string): Promise<Revoked> {
  return transaction(async (tx) => {
    const revoked = await withdrawApprovals(tx, context, context.caller.id, sql`"id" = ${requestId}`)
    if (revoked === 0) throw context.fail('session_not_found')
    return { success: true, revoked }
  })
}

/**
 * Ends all sessions of the caller except the current one, takes back the approvals of devices that have not signed in, and returns the number
 * of both.
 * This also removes all other known devices, even those whose sessions have ended. There is no other way to remove a
 * device that was lost after it signed out.
 */
function revokeOtherSessions(context: DucklingContext<ProofFailure>, alsoEnd?: AlsoEnd): Promise<Revoked> {
  const { id: ducklingId, sessionId } = context.caller
  return transaction(async (tx) => {
    // A device that signs in now holds this lock. So its session is among those that end, or its approval is gone.
    await lockDuckling(tx, ducklingId)
    await requireProofToEnd(tx, context, sql`"id" <> ${sessionId}`)
    const withdrawn = await withdrawApprovals(tx, context, ducklingId)
    const ended = await endSessions(tx, context, { allBut: sessionId }, 'session.revoked')
    if (ended.length > 0) announceChange(tx, context, 'sessions_ended')
    await removeDevices(tx, sql`"ducklingId" = ${ducklingId} AND "sessionId" <> ${sessionId}`)
    const disconnected = alsoEnd === undefined ? {} : { disconnected_agents: await alsoEnd(tx) }
    return { success: true, revoked: ended.length + withdrawn, ...disconnected }
  })
}

/**
 * Ends the caller's other sessions of a passkey, with their known devices and the devices that they approved. Returns how many sessions and
 * approvals ended. The caller has shown a recent proof.
 */
export async function endSessionsOfPasskey(
  tx: Tx,
  context: DucklingContext,
  passkeyId: string,
): Promise<number> {
  const { id: ducklingId, sessionId } = context.caller
  const ended = await endSessions(tx, context, { ofPasskey: passkeyId, allBut: sessionId }, 'session.revoked')
  const withdrawn = await withdrawApprovals(tx, context, ducklingId, sql`"sessionId" = ANY(${ended}::text[])`)
  if (ended.length > 0) announceChange(tx, context, 'sessions_ended')
  await removeDevices(tx, sql`"ducklingId" = ${ducklingId} AND "sessionId" = ANY(${ended}::text[])`)
  return ended.length + withdrawn
}

/** Ends the sessions with tokens that a distrusted key signed. */

/** Matches live sessions of the key, and sessions without a key, which are older than the column and may belong to it. */
const liveOf = (kid: string, now: Date) => Prisma.sql`
  ("kid" = ${kid} OR "kid" IS NULL) AND "revokedAt" IS NULL AND "expiresAt" > ${now}::timestamptz`

/** Returns how many live sessions the key has signed. */
export function countSessionsSignedBy(kid: string, now: Date): Promise<number> {
  return countInWindows('Session', liveOf(kid, now))
}

/**
 * Ends the next sessions of the key, in order of their ids after `after`, and records the reason in each owner's log. Returns how
 * many were ended and the id to continue after, or null at the end. Safe to run twice, or twice at the same time.
 */
export function endBatchSignedBy(kid: string, after: string, now: Date): Promise<ChangedBatch> {
  return changeBatch('Session', after, async (tx, isInWindow) => {
    const rows = await tx.rows<{ id: string }>`
      SELECT "id" FROM "Session" WHERE ${isInWindow} AND ${liveOf(kid, now)} ORDER BY "id" LIMIT ${batchRows}`
    const found = rows.map(({ id }) => id)
    // Locked in order of their ids, so that two runs do not deadlock.
    const ended = await tx.rows<{ id: string; ducklingId: string }>`
      UPDATE "Session" SET "revokedAt" = ${now}::timestamptz WHERE "id" IN (
        SELECT "id" FROM "Session" WHERE "id" = ANY(${found}::text[]) AND "revokedAt" IS NULL ORDER BY "id" FOR UPDATE
      ) RETURNING "id", "ducklingId"`
    const endedIds = ended.map(({ id }) => id)
    await endSiteSignIns(tx, sql`"sessionId" = ANY(${endedIds}::text[])`, now)
    signal(tx, ...endedIds)
    for (const [ducklingId, sessionIds] of byOwner(ended)) {
      record(tx, systemContext(now), 'session.revoked', {
        concerning: [ducklingId],
        actor: systemActor,
        targets: sessionIds.map((id) => ({ type: 'session', id })),
        metadata: { kid, reason: 'signing_key_distrusted' },
      })
    }
    return { found, count: ended.length }
  })
}

/** Groups session ids by owner. The owners are in order of their ids, because their logs are locked in that order. */
function byOwner(rows: { id: string; ducklingId: string }[]): [string, string[]][] {
  const owners = new Map<string, string[]>()
  for (const { id, ducklingId } of rows.toSorted((left, right) => (left.id < right.id ? -1 : 1)))
    owners.set(ducklingId, [...(owners.get(ducklingId) ?? []), id])
  return [...owners].sort(([left], [right]) => (left < right ? -1 : 1))
}
