import type { Tx } from '@/lib/db/client'
import type { DucklingContext } from '@/lib/kernel/context'

export interface LockedDuckling {
  email: string | null
  emailVerifiedAt: Date | null
}

/** Locks an account until the transaction ends and returns its current data, or null when the account is closed. */
export async function lockDuckling(tx: Tx, id: string): Promise<LockedDuckling | null> {
  const [row] = await tx.rows<LockedDuckling>`
    SELECT "email", "emailVerifiedAt" FROM "Duckling"
    WHERE "id" = ${id} AND "deletedAt" IS NULL FOR UPDATE`
  return row ?? null
}

/**
 * Locks the caller's account. Throws `session_invalid` when the account was closed or the session ended while this request waited
 * for the lock.
 */
export async function lockCaller(
  tx: Tx,
  context: DucklingContext<'session_invalid'>,
): Promise<LockedDuckling> {
  const { caller, now } = context
  const row = await lockDuckling(tx, caller.id)
  const session = await tx.session.findFirst({
    where: { id: caller.sessionId, revokedAt: null, expiresAt: { gt: now } },
    select: { id: true },
  })
  if (row === null || session === null) throw context.fail('session_invalid')
  return row
}
