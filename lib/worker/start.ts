import { drainPools, startEngine, type Worker } from '@/lib/infrastructure/worker/engine'
import { config } from '@/lib/kernel/config'
import { singleton } from '@/lib/kernel/runtime/singleton'
import { makePlan, makeSmallPlan } from './jobs'

/**
 * Starts the worker of this process. A second call returns the same worker. Without the role `worker`, it only writes what this process
 * has in memory.
 */
export function startWorker(): Promise<Worker> {
  return singleton('worker', () => startEngine(config().roles.has('worker') ? makePlan() : makeSmallPlan()))
}

/** Works on everything that is due now, and returns the number of rows. For tests and command lines. */
export function drainOutbox(): Promise<number> {
  const plan = makePlan()
  return drainPools(plan, plan.pools)
}

/** Works on everything that is due in one pool, and returns the number of rows. For tests. @internal */
export function drainPool(name: string): Promise<number> {
  const plan = makePlan()
  return drainPools(
    plan,
    plan.pools.filter((pool) => pool.name === name),
  )
}
