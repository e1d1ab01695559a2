import { sql } from '@/lib/db/sql'
import { transaction } from '@/lib/db/transaction'
import { enqueueNotice } from '@/lib/infrastructure/events/notices'
import type { DucklingContext } from '@/lib/kernel/context'
import { withdrawApprovals } from './approved-devices'
import { removeDevices } from './devices'
import { endSessions } from './end'
import { lockDuckling } from './lock'

/**
 * Ends all sessions of an account by a command of the host, takes back the approvals of devices that have not signed in, and removes the known
 * devices, as the owner can for all other sessions. Tells the owner. Returns the number of sessions and approvals.
 */
export function endSessionsByHost(context: DucklingContext): Promise<number> {
  const { caller, now } = context
  return transaction(async (tx) => {
    // A device that signs in now holds this lock. So its session is among those that end, or its approval is gone.
    await lockDuckling(tx, caller.id)
    const withdrawn = await withdrawApprovals(tx, context)
    const ended = await endSessions(tx, context, 'all', 'session.revoked')
    await removeDevices(tx, sql`"ducklingId" = ${caller.id}`)
    if (ended.length + withdrawn > 0)
      enqueueNotice(tx, now, caller.id, 'sessions_ended_by_host', { at: now.toISOString() })
    return ended.length + withdrawn
  })
}
