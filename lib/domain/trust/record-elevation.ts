import type { Tx } from '@/lib/db/client'
import { record } from '@/lib/infrastructure/events/record'
import type { DucklingContext, Tier } from '@/lib/kernel/context'

/** Records that the caller's tier rose, for the audit log and webhooks alike. */
export function recordElevation(tx: Tx, context: DucklingContext, from: Tier, to: Tier): Promise<void> {
  const { caller } = context
  return record(tx, context, 'trust.elevated', {
    targets: [{ type: 'duckling', id: caller.id }],
    metadata: { from, to },
    data: { duckling_id: caller.id, previous_tier: from, trust_tier: to },
  })
}
