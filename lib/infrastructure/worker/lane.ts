import { database } from '@/lib/db/client'
import { describeFailure } from '@/lib/db/full-disk'
import { settledTime } from '@/lib/db/service-clock'
import { onHandedOver } from '@/lib/infrastructure/events/handover'
import { onEnqueued, wakeOtherWorkers } from '@/lib/infrastructure/events/outbox'
import { readClock, secondsAfter } from '@/lib/kernel/clock'
import { log } from '@/lib/kernel/log'
import { type ClaimedRow, claimDue, claimSeconds, renewClaim } from './claim'
import type { DueLane } from './due'
import { type Loop, loop } from './loop'
import type { Lane, Plan } from './plan'
import { renewSeconds } from './renew'
import { workOn } from './row'

async function claim(lane: Lane, free: number): Promise<ClaimedRow[]> {
  const now = await settledTime(database)
  return lane.claim ? lane.claim(free, lane.places, now) : claimDue(lane.kinds, free, now)
}

/**
 * Works on a row that was claimed when it was inserted. Its transaction may have waited for locks: then the claim is renewed first, and a row
 * that others may have claimed is left to them. Returns false when the row must be tried later.
 */
async function workOnHanded(jobs: Plan['jobs'], row: ClaimedRow): Promise<boolean> {
  const now = readClock()
  const isFresh = row.claimedUntil > secondsAfter(now, claimSeconds - renewSeconds)
  try {
    if (!isFresh && !(await renewClaim(row, now))) return true
  } catch (error) {
    log().warn({ outbox: Number(row.id), error: describeFailure(error) }, 'claim not renewed')
    return true
  }
  return workOn(jobs, row)
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
  // Whether rows wait that were inserted before: new ones do not overtake them.
  let hasBacklog = false
  const start = (row: ClaimedRow, run = workOn) => {
    const work = run(jobs, row)
      .then((isDone) => {
        if (!isDone) onDelayed()
      })
      .catch((error: unknown) =>
        log().warn({ outbox: Number(row.id), error: describeFailure(error) }, 'outcome not written'),
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
    if (free <= 0) {
      hasBacklog = true
      if (!lane.claim) wakeOtherWorkers(lane.kinds)
      return
    }
    const rows = await claim(lane, free)
    hasBacklog = rows.length === free
    isBehind = hasBacklog || lane.claim !== undefined
    for (const row of rows) start(row)
    if (hasBacklog) wakeOtherWorkers(lane.kinds)
  })
  const offEnqueued = onEnqueued(lane.kinds, running.turn)
  // Simultaneous transactions, and a claim that is under way, may exceed the places for a moment: by as many again and the connections.
  const offHandedOver = lane.claim
    ? () => undefined
    : onHandedOver(lane.kinds, {
        claim: (now) => (!hasBacklog && busy.size < lane.places ? secondsAfter(now, claimSeconds) : null),
        receive: (row) => start(row, workOnHanded),
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
