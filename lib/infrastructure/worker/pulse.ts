/** Whether the worker of this process works: since when each of its steps has been running. */
import { minute } from '@/lib/kernel/clock'
import { singleton } from '@/lib/kernel/singleton'
import type { Loop } from './loop'

/** Looking for rows and claiming them take milliseconds, and a database that hangs ends them after 12 seconds. */
const stuckSeconds = minute

export interface Pulse {
  isStopped: boolean
  /** What looks for rows and claims them. Without one of these, messages wait. */
  claims: Loop[]
  /** What runs at an interval. Some of it takes minutes on a large installation. */
  chores: Loop[]
}

const holder = () => singleton('worker.pulse', () => ({ pulse: null as Pulse | null }))

/** Makes the pulse of a worker the one of this process. */
export function keepPulse(pulse: Pulse): void {
  holder().pulse = pulse
}

/** Returns whether the worker of this process was stopped, or claims nothing any more. False before one has started. */
export function hasStopped(now: Date): boolean {
  const { pulse } = holder()
  if (pulse === null) return false
  return pulse.isStopped || pulse.claims.some((one) => one.busySeconds(now) > stuckSeconds)
}

/** Returns the name of each step of the worker, and the seconds that it has been running. 0 between its turns. */
export function stepSeconds(now: Date): [name: string, seconds: number][] {
  const { pulse } = holder()
  return [...(pulse?.claims ?? []), ...(pulse?.chores ?? [])].map((one) => [one.name, one.busySeconds(now)])
}
