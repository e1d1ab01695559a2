import { transaction } from '@/lib/db/transaction'
import type { DucklingContext } from '@/lib/kernel/context'
import { fail } from '@/lib/kernel/failures'
import { endSessions } from './end'

/**
 * Ends one of the caller's sessions and returns 1. Throws `session_missing` for one that has ended, or is somebody else's.
 * Spec silent: the session that asks may name itself, which is a sign-out.
 */
export function revokeSession(context: DucklingContext, sessionId: string): Promise<number> {
  return transaction(async (tx) => {
    const ended = await endSessions(tx, context, { only: sessionId }, 'session.revoked')
    if (ended.length === 0) throw fail('session_missing')
    return ended.length
  })
}

/** Ends every session of the caller but the one that asks, and returns how many that were. */
export function revokeOtherSessions(context: DucklingContext): Promise<number> {
  return transaction(async (tx) => {
    const others = { allBut: context.caller.sessionId }
    return (await endSessions(tx, context, others, 'session.revoked')).length
  })
}
