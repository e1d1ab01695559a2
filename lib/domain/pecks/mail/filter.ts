import type { NotifiedRequests } from '@/lib/domain/notifications/settings'
import type { PeckRow } from '@/lib/domain/pecks/rows'

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
