import { transaction } from '@/lib/db/transaction'
import type { DucklingContext } from '@/lib/kernel/context'
import { removeDevices } from './devices'
import { endSessions } from './end'

/**
 * Ends one of the caller's sessions, removes the known device that it signed in from, and returns 1. Throws `session_missing` for one that has ended, or is somebody else's.
 * Spec silent: the session that asks may name itself, which is a sign-out.
 */
export function revokeSession(
  context: DucklingContext<'session_missing'>,
  sessionId: string,
): Promise<number> {
  return transaction(async (tx) => {
    const ended = await endSessions(tx, context, { only: sessionId }, 'session.revoked')
    if (ended.length === 0) throw context.fail('session_missing')
    await removeDevices(tx, { ducklingId: context.caller.id, sessionId })
    return ended.length
  })
}

/**
 * Ends every session of the caller but the one that asks, and returns how many that were.
 * Spec silent: all known devices but the caller's go too, also those whose sessions ended before. It is the one way to remove
 * a device that was lost after it signed out.
 */
export function revokeOtherSessions(context: DucklingContext): Promise<number> {
  const { id: ducklingId, sessionId } = context.caller
  return transaction(async (tx) => {
    const ended = await endSessions(tx, context, { allBut: sessionId }, 'session.revoked')
    await removeDevices(tx, { ducklingId, sessionId: { not: sessionId } })
    return ended.length
  })
}
