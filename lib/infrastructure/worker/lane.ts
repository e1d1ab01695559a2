import { onHandedOver } from '@/lib/infrastructure/events/handover'
import { onEnqueued, wakeOtherWorkers } from '@/lib/infrastructure/events/outbox'
import { readClock, secondsAfter } from '@/lib/kernel/clock'
import { describeError, log } from '@/lib/kernel/log'
import { type ClaimedRow, claimDue, claimSeconds, renewClaim } from './claim'
import type { DueLane } from './due'
import { type Loop, loop } from './loop'
import type { Lane, Plan } from './plan'
import { renewSeconds } from './renew'
import { workOn } from './row'

function claim(lane: Lane, free: number): Promise<ClaimedRow[]> {
  const now = readClock()
  return lane.claim ? lane.claim(free, lane.places, now) : claimDue(lane.kinds, free, now)
}

/** Whether a row that was claimed when it was inserted still is, so long that the claim can be renewed. Its transaction may have waited for locks. */
async function isStillClaimed(row: ClaimedRow): Promise<boolean> {
  const now = readClock()
  return row.claimedUntil > secondsAfter(now, 2 * renewSeconds) || renewClaim(row, now)
}

/** Waits until all works have ended, also after an error. Then throws the first error, so that no work goes on afterwards. */
export async function allEnded<T>(works: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(works)
  return Promise.all(works)
}

/** Works on everything that is due in a lane. Returns the number of rows. */
export async function drain(jobs: Plan['jobs'], lane: Lane): Promise<number> {
  let done = 0
  for (;;) {
    const rows = await claim(lane, lane.places)
    if (rows.length === 0) return done
    await allEnded(rows.map((row) => workOn(jobs, row)))
    done += rows.length
  }
}

/** Starts a lane. `onDelayed` is called when a row must be tried later. Stopping the lane waits for the rows in work. */
export function startLane(jobs: Plan['jobs'], lane: Lane, onDelayed: () => void): DueLane & Loop {
  const busy = new Set<Promise<void>>()
  // Whether a row that ends makes place for another: the last claim found no place, or not enough. Lanes with a claim of their own also
  // have places for each host or account.
  let isBehind = false
  const start = (row: ClaimedRow, isOurs: Promise<boolean> | true = true) => {
    const work = Promise.resolve(isOurs)
      .then((isStillOurs) => !isStillOurs || workOn(jobs, row))
      .then((isDone) => {
        if (!isDone) onDelayed()
      })
      .catch((error: unknown) =>
        log().warn({ outbox: Number(row.id), error: describeError(error) }, 'outcome not written'),
      )
      .finally(() => {
        busy.delete(work)
        if (isBehind) running.turn()
      })
    busy.add(work)
  }
  // Does not wait for the rows: a receiver that hangs occupies its own place only.
  const running = loop(lane.name, null, async () => {
    const free = lane.places - busy.size
    isBehind = true
    if (free <= 0) return
    const rows = await claim(lane, free)
    isBehind = rows.length === free || lane.claim !== undefined
    for (const row of rows) start(row)
    if (rows.length === free) wakeOtherWorkers(lane.kinds)
  })
  const offEnqueued = onEnqueued(lane.kinds, running.turn)
  // Transactions at the same time may exceed the places, by the number of their connections at most.
  const offHandedOver = lane.claim
    ? () => undefined
    : onHandedOver(lane.kinds, {
        claim: (now) => (busy.size < lane.places ? secondsAfter(now, claimSeconds) : null),
        receive: (handed) => {
          const row = { ...handed, attempts: 1 }
          start(row, isStillClaimed(row))
        },
      })
  return {
    kinds: lane.kinds,
    name: lane.name,
    busySeconds: running.busySeconds,
    turn: running.turn,
    stop: async () => {
      offEnqueued()
      offHandedOver()
      await running.stop()
      await Promise.all(busy)
    },
  }
}
