import { transaction } from '@/lib/db/transaction'
import { secondsAfter, secondsUntil } from '@/lib/kernel/clock'
import { fail } from '@/lib/kernel/failures'
import { accountPlaces, endpointPlaces } from './claim'
import { leaseSeconds, lockQueue, type Place } from './queue'
import { sendTimeoutMs } from './send'

/**
 * Occupies a place of an endpoint and its account for a delivery that is sent at once, under the lock that claims take. The
 * caller gives the place back with `finishWebhook`. When the process dies first, the lease ends, and the worker removes the row
 * because it finds no delivery of that id. Throws `webhook_busy`.
 */
export function takePlace(
  endpoint: { id: string; ducklingId: string },
  deliveryId: string,
  now: Date,
): Promise<Place> {
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
    if (ofEndpoint.length >= endpointPlaces) throw busy(ofEndpoint[0], now)
    if (inFlight.length >= accountPlaces) throw busy(inFlight[0], now)
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
function busy(first: { claimedUntil: Date | null } | undefined, now: Date) {
  const endsAt = secondsAfter(first?.claimedUntil ?? now, sendTimeoutMs / 1000 - leaseSeconds)
  return fail('webhook_busy', { retry_after: secondsUntil(endsAt, now) })
}
