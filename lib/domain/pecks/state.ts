/**
 * Where a peck and its grant stand at an instant. Both run out by the clock, so they are computed and never wait for the
 * worker that writes them down.
 */
import type { Peck } from '@/lib/db/generated/client'

export const peckStatuses = ['pending', 'approved', 'rejected', 'expired', 'cancelled'] as const
export type PeckStatus = (typeof peckStatuses)[number]

export const grantStatuses = ['active', 'consumed', 'expired', 'revoked'] as const
export type GrantStatus = (typeof grantStatuses)[number]

/** The status; a pending peck past its time has expired, whether or not that has been written yet. */
export function statusOf(peck: Pick<Peck, 'status' | 'expiresAt'>, now: Date): PeckStatus {
  return peck.status === 'pending' && peck.expiresAt <= now ? 'expired' : peck.status
}

type Granted = Pick<Peck, 'status' | 'grantRevokedAt' | 'grantExpiresAt' | 'uses' | 'maxUses'>

/** What became of the permission; null unless it was given. */
export function grantStatusOf(peck: Granted, now: Date): GrantStatus | null {
  if (peck.status !== 'approved') return null
  if (peck.grantRevokedAt !== null) return 'revoked'
  if (peck.maxUses !== null && peck.uses >= peck.maxUses) return 'consumed'
  return peck.grantExpiresAt !== null && peck.grantExpiresAt <= now ? 'expired' : 'active'
}
