import { transaction } from '@/lib/db/transaction'
import type { DucklingContext } from '@/lib/kernel/context'
import { endSessions } from './end'

/** Ends the caller's session. Throws `session_invalid` when another request has just ended it. */
export function signOut(context: DucklingContext<'session_invalid'>): Promise<void> {
  return transaction(async (tx) => {
    const ended = await endSessions(tx, context, { only: context.caller.sessionId }, 'session.ended')
    if (ended.length === 0) throw context.fail('session_invalid')
  })
}
