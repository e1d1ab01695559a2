import { sql } from '@/lib/db/sql'
import { transaction } from '@/lib/db/transaction'
import type { DucklingContext } from '@/lib/kernel/context'
import { removeDevices } from './devices'
import { endSessions } from './end'

interface Revoked {
  success: true
  /** How many sessions ended. */
  revoked: number
}

/**
 * Ends one of the caller's sessions, removes the known device that it signed in from. Throws `session_not_found` when the session
 * has ended or belongs to somebody else. The caller may end the current session, which is a sign-out (contract G).
 */
export function revokeSession(
  context: DucklingContext<'session_not_found'>,
  sessionId: string,
): Promise<Revoked> {
  return transaction(async (tx) => {
    const ended = await endSessions(tx, context, { only: sessionId }, 'session.revoked')
    if (ended.length === 0) throw context.fail('session_not_found')
    await removeDevices(tx, sql`"ducklingId" = ${context.caller.id} AND "sessionId" = ${sessionId}`)
    return { success: true, revoked: ended.length }
  })
}

/**
 * Ends all sessions of the caller except the current one, and returns their number.
 * This also removes all other known devices (contract G), even those whose sessions have ended. There is no other way to remove a
 * device that was lost after it signed out.
 */
export function revokeOtherSessions(context: DucklingContext): Promise<Revoked> {
  const { id: ducklingId, sessionId } = context.caller
  return transaction(async (tx) => {
    const ended = await endSessions(tx, context, { allBut: sessionId }, 'session.revoked')
    await removeDevices(tx, sql`"ducklingId" = ${ducklingId} AND "sessionId" <> ${sessionId}`)
    return { success: true, revoked: ended.length }
  })
}
