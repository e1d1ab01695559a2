/** Suspends accounts by commands of the host (contract E, Suspended accounts). Nothing ends but sessions, so that resuming loses nothing. */
import type { Tx } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { updateListing } from '@/lib/domain/identity/directory'
import { recordRecovery } from '@/lib/domain/passkeys/recovery'
import { lockAccount } from '@/lib/domain/revocation/lock-account'
import { withdrawApprovals } from '@/lib/domain/sessions/approved-devices'
import { endSessions } from '@/lib/domain/sessions/end'
import { lockDuckling } from '@/lib/domain/sessions/lock'
import { wakeAccount } from '@/lib/domain/webhooks/queue'
import { enqueueNotice } from '@/lib/infrastructure/events/notices'
import { record, suspendChain } from '@/lib/infrastructure/events/record'
import { signal } from '@/lib/infrastructure/events/signals'
import { withCurrentTime } from '@/lib/kernel/clock'
import type { DucklingContext } from '@/lib/kernel/context'

/**
 * Suspends the account, ends its sessions and cancels the waiting removal of passkeys or of an approver, which the owner could not stop now.
 * Returns the number of sessions, or null when the account is closed or suspended already.
 */
export function suspendAccount(given: DucklingContext, reason: string | null): Promise<number | null> {
  const { id } = given.caller
  return transaction(async (tx) => {
    if ((await lockAccount(tx, id, given.now)) === null) return null
    const context = withCurrentTime(given)
    const { now } = context
    const { count } = await tx.duckling.updateMany({
      where: { id, suspendedAt: null, deletedAt: null },
      data: { suspendedAt: now },
    })
    if (count === 0) return null
    await suspendChain(tx, id, true)
    await updateListing(tx, id)
    await withdrawApprovals(tx, context)
    const sessions = await endSessions(tx, context, 'all', 'session.revoked')
    await keepCredentials(tx, context)
    await stopAgents(tx, id)
    record(tx, context, 'account.suspended', {
      targets: [{ type: 'duckling', id }],
      metadata: reason === null ? {} : { stated: reason },
    })
    enqueueNotice(tx, now, id, 'account_suspended', {
      at: now.toISOString(),
      ...(reason === null ? {} : { reason }),
    })
    return sessions.length
  })
}

/** A thief may have asked for the removal. The owner can ask again. */
async function keepCredentials(tx: Tx, context: DucklingContext): Promise<void> {
  const ducklingId = context.caller.id
  const recovery = await tx.passkeyRecovery.findUnique({ where: { ducklingId } })
  if (recovery !== null) {
    await tx.passkeyRecovery.delete({ where: { ducklingId } })
    recordRecovery(tx, context, 'passkey.recovery_cancelled', recovery)
  }
  const [approver] = await tx.approver.updateManyAndReturn({
    where: { ducklingId, removesAt: { not: null } },
    data: { removesAt: null },
  })
  if (approver !== undefined) record(tx, context, 'approver.kept', { metadata: { origin: approver.origin } })
}

/** Ends the streams and long polls of the agents. Every later request reads the account. */
async function stopAgents(tx: Tx, ducklingId: string): Promise<void> {
  const agents = await tx.agent.findMany({ where: { ducklingId }, select: { id: true } })
  signal(tx, ...agents.map(({ id }) => id))
}

/** Lets the account work again. Returns false when it is closed or not suspended. */
export function resumeAccount(context: DucklingContext): Promise<boolean> {
  const { caller, now } = context
  const { id } = caller
  return transaction(async (tx) => {
    await lockDuckling(tx, id)
    const { count } = await tx.duckling.updateMany({
      where: { id, suspendedAt: { not: null }, deletedAt: null },
      data: { suspendedAt: null },
    })
    if (count === 0) return false
    await suspendChain(tx, id, false)
    await updateListing(tx, id)
    await wakeAccount(tx, id, now)
    record(tx, context, 'account.resumed', { targets: [{ type: 'duckling', id }] })
    enqueueNotice(tx, now, id, 'account_resumed', { at: now.toISOString() })
    return true
  })
}
