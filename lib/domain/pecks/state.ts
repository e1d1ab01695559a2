/**
 * The status of a peck and of its grant at a given time. Both can expire, so the status is computed from the clock and does not
 * depend on when the worker writes it to the row.
 */
import type { Peck } from '@/lib/db/generated/client'
import type { GrantStatus, PeckStatus } from '@/lib/infrastructure/events/kinds/peck-data'

/** Returns the status. A pending peck counts as expired from `expiresAt` on, even before the worker has updated the row. */
export function statusOf(peck: Pick<Peck, 'status' | 'expiresAt'>, now: Date): PeckStatus {
  return peck.status === 'pending' && peck.expiresAt <= now ? 'expired' : peck.status
}

type GrantColumns = Pick<Peck, 'status' | 'grantRevokedAt' | 'grantExpiresAt' | 'uses' | 'maxUses'>

/** Returns the status of the permission, or null when the peck was not approved. */
export function grantStatusOf(peck: GrantColumns, now: Date): GrantStatus | null {
  if (peck.status !== 'approved') return null
  if (peck.grantRevokedAt !== null) return 'revoked'
  if (peck.maxUses !== null && peck.uses >= peck.maxUses) return 'consumed'
  return peck.grantExpiresAt !== null && peck.grantExpiresAt <= now ? 'expired' : 'active'
}
