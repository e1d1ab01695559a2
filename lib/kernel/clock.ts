/** The only place that reads the wall clock. Everything else takes `now` from its context. */
import { singleton } from './singleton'
import { isTestService } from './test-service'

/** How far this process has moved its clock. Not 0 only in a test service. */
const moved = singleton('clock', () => ({ milliseconds: 0 }))

export function readClock(): Date {
  return new Date(Date.now() + moved.milliseconds)
}

/** Moves the clock of a test service forward to a time. An earlier time changes nothing. Throws in every other process. */
export function moveClock(to: Date): void {
  if (!isTestService()) throw new Error('Only a test service can move its clock.')
  moved.milliseconds = Math.max(moved.milliseconds, to.getTime() - Date.now())
}

/**
 * Returns the context with the current time, for a command that has waited since its context was made: for its body, or for a lock. The
 * time never goes back.
 */
export function withCurrentTime<C extends { now: Date }>(context: C): C {
  return { ...context, now: latest([context.now, readClock()]) }
}

export function secondsAfter(from: Date, seconds: number): Date {
  return new Date(from.getTime() + seconds * 1000)
}

/** Returns the latest of some times, at least one. */
export function latest(times: Date[]): Date {
  return new Date(Math.max(...times.map(Number)))
}

/** Returns the earliest of some times, or null when there is none. */
export function earliest(times: Date[]): Date | null {
  return times.length === 0 ? null : new Date(Math.min(...times.map(Number)))
}

/** Returns the whole seconds from `now` until `then`, rounded up, at least 1: the value of `Retry-After`. */
export function secondsUntil(then: Date, now: Date): number {
  return Math.max(1, Math.ceil((then.getTime() - now.getTime()) / 1000))
}

export const minute = 60
export const hour = 60 * minute
export const day = 24 * hour
