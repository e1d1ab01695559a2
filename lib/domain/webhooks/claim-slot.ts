import { transaction } from '@/lib/db/transaction'
import { claimSeconds } from '@/lib/infrastructure/worker/claim'
import { secondsAfter } from '@/lib/kernel/clock'
import type { Caller, Context } from '@/lib/kernel/context'
import type { Failure } from '@/lib/kernel/failures'
import { accountSlots, endpointSlots } from './claim'
import { lockQueue, type Slot } from './queue'
import { sendTimeoutMs } from './send'

type BusyContext = Context<Caller, 'webhook_busy'>

/**
 * Claims a slot of an endpoint and its account for a delivery that is sent immediately. Uses the same lock as the worker's claims.
 * The caller renews the claim while it sends, and releases the slot with `finishWebhook`. When the process dies before that, the
 * claim expires, and the worker deletes the row because no delivery has that id. Throws `webhook_busy`.
 */
export function claimSlot(
  context: BusyContext,
  endpoint: { id: string; ducklingId: string },
  deliveryId: string,
): Promise<Slot> {
  const { now } = context
  const { id: endpointId, ducklingId } = endpoint
  const claimedUntil = secondsAfter(now, claimSeconds)
  return transaction(async (tx) => {
    await lockQueue(tx, ducklingId, claimedUntil)
    const inFlight = await tx.outbox.findMany({
      where: { ducklingId, claimedUntil: { gt: now } },
      select: { endpointId: true },
    })
    const ofEndpoint = inFlight.filter((row) => row.endpointId === endpointId)
    if (ofEndpoint.length >= endpointSlots) throw busy(context)
    if (inFlight.length >= accountSlots) throw busy(context)
    const { id, attempts } = await tx.outbox.create({
      data: {
        kind: 'webhook',
        payload: { delivery_id: deliveryId },
        dueAt: now,
        claimedUntil,
        createdAt: now,
        ducklingId,
        endpointId,
      },
    })
    return { id, attempts, ducklingId, claimedUntil }
  })
}

/** Returns `webhook_busy`. Every attempt has ended after its time limit. */
function busy(context: BusyContext): Failure {
  return context.fail('webhook_busy', { retry_after: sendTimeoutMs / 1000 })
}
