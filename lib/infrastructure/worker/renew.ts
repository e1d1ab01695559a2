import { describeFailure } from '@/lib/db/full-disk'
import { minute, readClock } from '@/lib/kernel/runtime/clock'
import { log } from '@/lib/kernel/runtime/log'
import { singleton } from '@/lib/kernel/runtime/singleton'
import type { Loop } from './loop'

/** Three renewals may fail before a claim of 10 seconds expires. */
export const renewSeconds = 2.5
/** Work that takes longer is considered hung: its claim expires, although the process is alive. */
export const longestWorkSeconds = 5 * minute

/**
 * Runs `work` and renews its claim meanwhile. `renew` returns false when the claim is lost; the work goes on then, because it
 * cannot be interrupted. No renewal is running when this returns.
 */
export async function whileRenewed<T>(
  renew: (now: Date) => Promise<boolean>,
  work: () => Promise<T>,
): Promise<T> {
  let left = longestWorkSeconds / renewSeconds
  let renewal: Promise<void> | null = null
  const renewOnce = async () => {
    try {
      if (!(await renew(readClock()))) clearInterval(timer)
    } catch (error) {
      log().warn({ error: describeFailure(error) }, 'claim not renewed')
    }
    renewal = null
  }
  const timer = setInterval(() => {
    if (left-- <= 0) clearInterval(timer)
    else renewal ??= renewOnce()
  }, renewSeconds * 1000)
  timer.unref()
  try {
    return await work()
  } finally {
    clearInterval(timer)
    await renewal
  }
}

/** Whether the worker of this process works: since when each of its steps has been running. */

/** Looking for rows and claiming them take milliseconds, and a database that hangs ends them after 12 seconds. */
const stuckSeconds = minute

export interface Liveness {
  isStopped: boolean
  /** What looks for rows and claims them. Without one of these, messages wait. */
  claims: Loop[]
  /** What runs at an interval. Some of it takes minutes on a large installation. */
  chores: Loop[]
}

const holder = () => singleton('worker.liveness', () => ({ liveness: null as Liveness | null }))

/** Sets the steps by which this process judges its worker. */
export function trackLiveness(liveness: Liveness): void {
  holder().liveness = liveness
}

/** Returns whether the worker of this process was stopped, or claims nothing any more. False before one has started. */
export function hasStopped(now: Date): boolean {
  const { liveness } = holder()
  if (liveness === null) return false
  return liveness.isStopped || liveness.claims.some((one) => one.busySeconds(now) > stuckSeconds)
}

/** Returns the name of each step of the worker, and the seconds that it has been running. 0 between its turns. */
export function stepSeconds(now: Date): [name: string, seconds: number][] {
  const { liveness } = holder()
  return [...(liveness?.claims ?? []), ...(liveness?.chores ?? [])].map((one) => [
    one.name,
    one.busySeconds(now),
  ])
}
