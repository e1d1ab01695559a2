import { transaction } from '@/lib/db/transaction'
import type { DucklingContext } from '@/lib/kernel/context'
import { fail } from '@/lib/kernel/failures'
import { endSessions } from './end'

/** Ends the session that asks. Throws `session_invalid` when another request has just ended it. */
export function signOut(context: DucklingContext): Promise<void> {
  return transaction(async (tx) => {
    const ended = await endSessions(tx, context, { only: context.caller.sessionId }, 'session.ended')
    if (ended.length === 0) throw fail('session_invalid')
  })
}
