import type { z } from 'zod'
import type { Tx } from '@/lib/db/client'
import { type Sql, sql } from '@/lib/db/sql'
import { transaction } from '@/lib/db/transaction'
import type { DucklingContext } from '@/lib/kernel/context'
import { announceChange } from './announce-change'
import { withdrawApprovals } from './approved-devices'
import { removeDevices } from './devices'
import { endSessions } from './end'
import { lockDuckling } from './lock'
import { isOwnSignIn, type ProofFailure, requireProof } from './proof'
import type { RevokedThing } from './schema'

interface Revoked {
  success: true
  /** How many sessions and approvals of devices ended. */
  revoked: number
}

/**
 * Ends what the owner names: a session, the approval of a device, or all but the current session. Throws `session_not_found` and the failures
 * of `requireProof`.
 */
export function revoke(
  context: DucklingContext<'session_not_found' | ProofFailure>,
  { session_id, device_request_id }: z.infer<typeof RevokedThing>,
): Promise<Revoked> {
  if (session_id !== undefined) return revokeSession(context, session_id)
  return device_request_id === undefined
    ? revokeOtherSessions(context)
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
 * has ended or belongs to somebody else, and the failures of `requireProof`. The caller may end the current session, which is a sign-out (contract G).
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
    const revoked = await withdrawApprovals(tx, context, sql`"id" = ${requestId}`)
    if (revoked === 0) throw context.fail('session_not_found')
    return { success: true, revoked }
  })
}

/**
 * Ends all sessions of the caller except the current one, takes back the approvals of devices that have not signed in, and returns the number
 * of both.
 * This also removes all other known devices (contract G), even those whose sessions have ended. There is no other way to remove a
 * device that was lost after it signed out.
 */
function revokeOtherSessions(context: DucklingContext<ProofFailure>): Promise<Revoked> {
  const { id: ducklingId, sessionId } = context.caller
  return transaction(async (tx) => {
    // A device that signs in now holds this lock. So its session is among those that end, or its approval is gone.
    await lockDuckling(tx, ducklingId)
    await requireProofToEnd(tx, context, sql`"id" <> ${sessionId}`)
    const withdrawn = await withdrawApprovals(tx, context)
    const ended = await endSessions(tx, context, { allBut: sessionId }, 'session.revoked')
    if (ended.length > 0) announceChange(tx, context, 'sessions_ended')
    await removeDevices(tx, sql`"ducklingId" = ${ducklingId} AND "sessionId" <> ${sessionId}`)
    return { success: true, revoked: ended.length + withdrawn }
  })
}
