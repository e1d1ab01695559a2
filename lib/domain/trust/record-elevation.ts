import type { Tx } from '@/lib/db/client'
import { record } from '@/lib/infrastructure/events/record'
import type { DucklingContext } from '@/lib/kernel/context'
import type { Tier } from '@/lib/kernel/tier'

/** Records the new tier of the caller, for the audit log and for webhooks. */
export function recordElevation(tx: Tx, context: DucklingContext, from: Tier, to: Tier): void {
  const { caller } = context
  record(tx, context, 'trust.elevated', {
    targets: [{ type: 'duckling', id: caller.id }],
    metadata: { from, to },
    data: { duckling_id: caller.id, previous_tier: from, trust_tier: to },
  })
}
