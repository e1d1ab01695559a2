/**
 * The outbox worker. A row is claimed for a while and removed after the work, so a process that dies loses nothing. Several
 * processes share one table (`FOR UPDATE SKIP LOCKED`). Delivery is at least once.
 */
import { database, openDatabase } from '@/lib/db/client'
import { mayEndWork, measuredTime } from '@/lib/db/service-clock'
import { readClock } from '@/lib/kernel/runtime/clock'
import { releaseAllClaims } from './claim'
import { loop } from './loop'
import { type Chore, type DueChore, type Plan, type Pool, watchDue } from './plan'
import { allEnded, drain, startPool } from './pool'
import { type Liveness, trackLiveness } from './renew'

export interface Worker {
  /** Finishes what is running and starts nothing new. */
  stop(): Promise<void>
  /** Does now what is due, without waiting for the next interval: after the clock was moved. Resolves when every chore has run. */
  catchUp(): Promise<void>
}

/** Runs a chore with the time of the service. What ends by time waits while the clock is in doubt. */
async function runChore({ endsByTime, run }: Chore): Promise<void> {
  const now = await measuredTime(database)
  if (endsByTime && !mayEndWork(database())) return
  await run(now)
}

/** Starts all pools and chores of a plan. */
export async function startEngine({ jobs, pools, chores, restore }: Plan): Promise<Worker> {
  const { embedded } = await openDatabase()
  if (embedded) {
    // Only this process can open the embedded database, so every claim is from a process that ended.
    await releaseAllClaims()
    await restore()
  }
  const started = pools.map((pool) => startPool(jobs, pool, () => due.turn()))
  const withDue: DueChore[] = []
  const loops = chores.map((chore) => {
    const { name, everySeconds, due: selectDue } = chore
    const running = loop(name, selectDue === undefined ? everySeconds : null, () => runChore(chore))
    if (selectDue !== undefined) withDue.push({ everySeconds, due: selectDue, turn: running.turn })
    return running
  })
  const due = watchDue(started, withDue)
  const liveness: Liveness = { isStopped: false, claims: [due, ...started], chores: loops }
  trackLiveness(liveness)
  return {
    catchUp: async () => {
      await Promise.all(loops.map((one) => one.turn()))
      await due.turn()
    },
    stop: async () => {
      liveness.isStopped = true
      await Promise.all([due, ...started, ...loops].map((one) => one.stop()))
      for (const { run } of chores.filter(({ alsoAtStop }) => alsoAtStop)) await run(readClock())
    },
  }
}

/** Works on everything that is due now in some pools, also on what this work enqueues. Returns the number of rows. */
export async function drainPools({ jobs, restore }: Plan, pools: Pool[]): Promise<number> {
  await restore()
  let done = 0
  for (;;) {
    const counts = await allEnded(pools.map((pool) => drain(jobs, pool)))
    const count = counts.reduce((sum, one) => sum + one, 0)
    if (count === 0) return done
    done += count
  }
}
