import { transaction } from '@/lib/db/transaction'
import { secondsAfter, secondsUntil } from '@/lib/kernel/clock'
import type { Caller, Context } from '@/lib/kernel/context'
import type { Failure } from '@/lib/kernel/failures'
import { accountPlaces, endpointPlaces } from './claim'
import { leaseSeconds, lockQueue, type Place } from './queue'
import { sendTimeoutMs } from './send'

type BusyContext = Context<Caller, 'webhook_busy'>

/**
 * Occupies a place of an endpoint and its account for a delivery that is sent at once, under the lock that claims take. The
 * caller gives the place back with `finishWebhook`. When the process dies first, the lease ends, and the worker removes the row
 * because it finds no delivery of that id. Throws `webhook_busy`.
 */
export function takePlace(
  context: BusyContext,
  endpoint: { id: string; ducklingId: string },
  deliveryId: string,
): Promise<Place> {
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
    if (ofEndpoint.length >= endpointPlaces) throw busy(context, ofEndpoint[0])
    if (inFlight.length >= accountPlaces) throw busy(context, inFlight[0])
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

/** The first delivery to end does so when its attempt times out, at the latest. */
function busy(context: BusyContext, first: { claimedUntil: Date | null } | undefined): Failure {
  const { now } = context
  const endsAt = secondsAfter(first?.claimedUntil ?? now, sendTimeoutMs / 1000 - leaseSeconds)
  return context.fail('webhook_busy', { retry_after: secondsUntil(endsAt, now) })
}
