import type { Tx } from '@/lib/db/client'
import { enqueueNotice } from '@/lib/infrastructure/events/notices'
import { record, systemActor } from '@/lib/infrastructure/events/record'
import { systemContext } from '@/lib/kernel/context'
import { dropWaiting } from './queue'
import type { DisabledReason } from './schema'

const explanations: Record<Exclude<DisabledReason, 'owner'>, string> = {
  gone: 'it answered 410 Gone',
  failing: 'it has failed for 120 hours',
}

/** Switches an endpoint off on our own account, records that and enqueues the notice. Once. */
export async function disableWebhook(
  tx: Tx,
  now: Date,
  endpoint: { id: string; ducklingId: string },
  reason: Exclude<DisabledReason, 'owner'>,
): Promise<void> {
  const { id, ducklingId } = endpoint
  const { count } = await tx.webhookEndpoint.updateMany({
    where: { id, enabled: true },
    data: { enabled: false, disabledReason: reason },
  })
  if (count !== 1) return
  await dropPending(tx, id)
  await record(tx, systemContext(now), 'webhook.disabled', {
    concerning: [ducklingId],
    actor: systemActor,
    targets: [{ type: 'webhook', id }],
    metadata: { reason },
  })
  // By its id: the URL is text of others, and paths and queries of receivers often hold tokens.
  await enqueueNotice(tx, now, ducklingId, 'webhook_disabled', { endpoint: id, why: explanations[reason] })
}

/** What an endpoint that is off has not received, it will not: each can be sent again once it is on. */
export async function dropPending(tx: Tx, endpointId: string): Promise<void> {
  await tx.webhookDelivery.updateMany({
    where: { endpointId, status: 'pending' },
    data: { status: 'failed', nextAttemptAt: null },
  })
  await dropWaiting(tx, [endpointId])
}
