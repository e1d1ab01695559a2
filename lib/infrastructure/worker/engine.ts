/**
 * The outbox worker. A row is claimed for a while and removed after the work, so a process that dies loses nothing. Several
 * processes share one table (`FOR UPDATE SKIP LOCKED`). Delivery is at least once.
 */
import { database, openDatabase } from '@/lib/db/client'
import { mayEndWork, settledTime } from '@/lib/db/service-clock'
import { readClock } from '@/lib/kernel/clock'
import { releaseAllClaims } from './claim'
import { type DueChore, watchDue } from './due'
import { allEnded, drain, startLane } from './lane'
import { loop } from './loop'
import type { Chore, Lane, Plan } from './plan'
import { keepPulse, type Pulse } from './pulse'

export interface Worker {
  /** Finishes what is running and starts nothing new. */
  stop(): Promise<void>
  /** Does now what is due, without waiting for the next interval: after the clock was moved. Resolves when every chore has run. */
  catchUp(): Promise<void>
}

/** Runs a chore with the time of the service. What ends by time waits while the clock is in doubt. */
async function runChore({ endsByTime, run }: Chore): Promise<void> {
  const now = await settledTime(database)
  if (endsByTime && !mayEndWork(database())) return
  await run(now)
}

/** Starts all lanes and chores of a plan. */
export async function startEngine({ jobs, lanes, chores, restore }: Plan): Promise<Worker> {
  const { embedded } = await openDatabase()
  if (embedded) {
    // Only this process can open the embedded database, so every claim is from a process that ended.
    await releaseAllClaims()
    await restore()
  }
  const started = lanes.map((lane) => startLane(jobs, lane, () => due.turn()))
  const withDue: DueChore[] = []
  const loops = chores.map((chore) => {
    const { name, everySeconds, due: selectDue } = chore
    const running = loop(name, selectDue === undefined ? everySeconds : null, () => runChore(chore))
    if (selectDue !== undefined) withDue.push({ everySeconds, due: selectDue, turn: running.turn })
    return running
  })
  const due = watchDue(started, withDue)
  const pulse: Pulse = { isStopped: false, claims: [due, ...started], chores: loops }
  keepPulse(pulse)
  return {
    catchUp: async () => {
      await Promise.all(loops.map((one) => one.turn()))
      await due.turn()
    },
    stop: async () => {
      pulse.isStopped = true
      await Promise.all([due, ...started, ...loops].map((one) => one.stop()))
      for (const { run } of chores.filter(({ alsoAtStop }) => alsoAtStop)) await run(readClock())
    },
  }
}

/** Works on everything that is due now in some lanes, also on what this work enqueues. Returns the number of rows. */
export async function drainLanes({ jobs, restore }: Plan, lanes: Lane[]): Promise<number> {
  await restore()
  let done = 0
  for (;;) {
    const counts = await allEnded(lanes.map((lane) => drain(jobs, lane)))
    const count = counts.reduce((sum, one) => sum + one, 0)
    if (count === 0) return done
    done += count
  }
}
