import { transaction } from '@/lib/db/transaction'
import { claimSeconds } from '@/lib/infrastructure/worker/claim'
import { secondsAfter } from '@/lib/kernel/clock'
import { fail } from '@/lib/kernel/failures'
import { accountPlaces, endpointPlaces } from './claim'
import { lockQueue, type Place } from './queue'
import { sendTimeoutMs } from './send'

/**
 * Occupies a place of an endpoint and its account for a delivery that is sent at once, under the lock that claims take. The
 * caller renews the claim while it sends and releases the place with `finishWebhook`. When the process dies first, the claim expires,
 * and the worker removes the row because no delivery has that id. Throws `webhook_busy`.
 */
export function takePlace(
  endpoint: { id: string; ducklingId: string },
  deliveryId: string,
  now: Date,
): Promise<Place> {
  const { id: endpointId, ducklingId } = endpoint
  const claimedUntil = secondsAfter(now, claimSeconds)
  return transaction(async (tx) => {
    await lockQueue(tx, ducklingId, claimedUntil)
    const inFlight = await tx.outbox.findMany({
      where: { ducklingId, claimedUntil: { gt: now } },
      select: { endpointId: true },
    })
    const ofEndpoint = inFlight.filter((row) => row.endpointId === endpointId)
    if (ofEndpoint.length >= endpointPlaces) throw busy()
    if (inFlight.length >= accountPlaces) throw busy()
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

/** Every attempt has ended when its time limit is over. */
const busy = () => fail('webhook_busy', { retry_after: sendTimeoutMs / 1000 })
