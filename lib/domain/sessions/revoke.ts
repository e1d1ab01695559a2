import type { Tx } from '@/lib/db/client'
import { type Sql, sql } from '@/lib/db/sql'
import { transaction } from '@/lib/db/transaction'
import type { DucklingContext } from '@/lib/kernel/context'
import { announceChange } from './announce-change'
import { removeDevices } from './devices'
import { endSessions } from './end'
import { isOwnSignIn, type ProofFailure, requireProof } from './proof'

interface Revoked {
  success: true
  /** How many sessions ended. */
  revoked: number
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
export function revokeSession(
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
 * Ends all sessions of the caller except the current one, and returns their number.
 * This also removes all other known devices (contract G), even those whose sessions have ended. There is no other way to remove a
 * device that was lost after it signed out.
 */
export function revokeOtherSessions(context: DucklingContext<ProofFailure>): Promise<Revoked> {
  const { id: ducklingId, sessionId } = context.caller
  return transaction(async (tx) => {
    await requireProofToEnd(tx, context, sql`"id" <> ${sessionId}`)
    const ended = await endSessions(tx, context, { allBut: sessionId }, 'session.revoked')
    if (ended.length > 0) announceChange(tx, context, 'sessions_ended')
    await removeDevices(tx, sql`"ducklingId" = ${ducklingId} AND "sessionId" <> ${sessionId}`)
    return { success: true, revoked: ended.length }
  })
}
