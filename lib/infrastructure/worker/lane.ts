import { readClock } from '@/lib/kernel/clock'
import { describeError, log } from '@/lib/kernel/log'
import { type ClaimedRow, claimDue } from './claim'
import { loop } from './loop'
import type { Lane, Plan } from './plan'
import { workOn } from './row'

const pollSeconds = 1

function claim(lane: Lane, free: number): Promise<ClaimedRow[]> {
  const now = readClock()
  return lane.claim ? lane.claim(free, lane.places, now) : claimDue(lane.kinds, free, now)
}

/** Works on everything that is due in a lane. Returns the number of rows. */
export async function drain(jobs: Plan['jobs'], lane: Lane): Promise<number> {
  let done = 0
  for (;;) {
    const rows = await claim(lane, lane.places)
    if (rows.length === 0) return done
    await Promise.all(rows.map((row) => workOn(jobs, row)))
    done += rows.length
  }
}

/** Starts the loop of a lane. Stopping it waits for the rows that are being worked on. */
export function startLane(jobs: Plan['jobs'], lane: Lane): { stop(): Promise<void> } {
  const busy = new Set<Promise<void>>()
  const start = (row: ClaimedRow) => {
    const work = workOn(jobs, row)
      .catch((error: unknown) =>
        log().warn({ outbox: Number(row.id), error: describeError(error) }, 'outcome not written'),
      )
      .finally(() => {
        busy.delete(work)
        running.turn()
      })
    busy.add(work)
  }
  // Does not wait for the rows: a receiver that hangs occupies its own place only.
  const running = loop(lane.name, pollSeconds, true, async () => {
    const free = lane.places - busy.size
    if (free > 0) for (const row of await claim(lane, free)) start(row)
  })
  return {
    stop: async () => {
      await running.stop()
      await Promise.all(busy)
    },
  }
}
