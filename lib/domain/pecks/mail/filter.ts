import { sql } from '@/lib/db/sql'
import type { NotifiedRequests } from '@/lib/domain/notifications/settings'
import type { PeckRow } from '@/lib/domain/pecks/rows'
import { knowsAsker } from '@/lib/domain/pecks/state'

/** The columns of a peck that decide which channels tell the target about it. */
export type Filtered = Pick<PeckRow, 'requesterDucklingId' | 'targetDucklingId' | 'riskLevel'>

const filters: Record<NotifiedRequests, (peck: Filtered) => boolean> = {
  all: () => true,
  others: (peck) => peck.requesterDucklingId !== peck.targetDucklingId,
  // Older pecks have no level. A missing level must not hide a request.
  high_risk: ({ riskLevel }) => riskLevel === 'high' || riskLevel === null,
  none: () => false,
}

/** Whether a channel with that choice tells the target about the peck. */
export function isAnnounced(peck: Filtered, choice: NotifiedRequests): boolean {
  return filters[choice](peck)
}

/** The condition that the target of the peck `p` has not blocked its asker. */
export const unlessBlocked = sql`NOT p."blocked" AND NOT EXISTS (SELECT 1 FROM "PeckBlock" b
  WHERE b."ducklingId" = p."targetDucklingId" AND b."blockedDucklingId" = p."requesterDucklingId")`

/**
 * The condition that the target of the peck `p` knows its asker, so that a high risk may break quiet hours (contract F, Announcements on
 * channels). Who asks with an invitation is not known by that.
 */
export const isOfKnown = sql`(p."requesterDucklingId" = p."targetDucklingId" OR ${knowsAsker('p')}
  OR EXISTS (SELECT 1 FROM "Contact" c WHERE c."ducklingId" = p."targetDucklingId" AND c."askerId" = p."askerId" AND c."alwaysAt" IS NOT NULL))`
