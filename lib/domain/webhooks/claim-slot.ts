import { transaction } from '@/lib/db/transaction'
import { secondsAfter, secondsUntil } from '@/lib/kernel/clock'
import type { Caller, Context } from '@/lib/kernel/context'
import type { Failure } from '@/lib/kernel/failures'
import { accountSlots, endpointSlots } from './claim'
import { leaseSeconds, lockQueue, type Slot } from './queue'
import { sendTimeoutMs } from './send'

type BusyContext = Context<Caller, 'webhook_busy'>

/**
 * Claims a slot of an endpoint and its account for a delivery that is sent immediately. Uses the same lock as the worker's claims.
 * The caller must release the slot with `finishWebhook`. When the process dies before that, the lease ends, and the worker deletes
 * the row because no delivery has that id. Throws `webhook_busy`.
 */
export function claimSlot(
  context: BusyContext,
  endpoint: { id: string; ducklingId: string },
  deliveryId: string,
): Promise<Slot> {
  const { now } = context
  const { id: endpointId, ducklingId } = endpoint
  const claimedUntil = secondsAfter(now, leaseSeconds)
  return transaction(async (tx) => {
    await lockQueue(tx, ducklingId, claimedUntil)
    const inFlight = await tx.outbox.findMany({
      where: { ducklingId, claimedUntil: { gt: now } },
      orderBy: { claimedUntil: 'asc' },
      select: { endpointId: true, claimedUntil: true },
    })
    const ofEndpoint = inFlight.filter((row) => row.endpointId === endpointId)
    if (ofEndpoint.length >= endpointSlots) throw busy(context, ofEndpoint[0])
    if (inFlight.length >= accountSlots) throw busy(context, inFlight[0])
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

/** Returns `webhook_busy`. A slot is free at the latest when the attempt that began first times out. */
function busy(context: BusyContext, first: { claimedUntil: Date | null } | undefined): Failure {
  const { now } = context
  const endsAt = secondsAfter(first?.claimedUntil ?? now, sendTimeoutMs / 1000 - leaseSeconds)
  return context.fail('webhook_busy', { retry_after: secondsUntil(endsAt, now) })
}
