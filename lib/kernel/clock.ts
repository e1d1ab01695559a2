/** The only place that reads the wall clock. Everything else takes `now` from its context. */

export function readClock(): Date {
  return new Date()
}

export function secondsAfter(from: Date, seconds: number): Date {
  return new Date(from.getTime() + seconds * 1000)
}

/** Returns the latest of some times, at least one. */
export function latest(times: Date[]): Date {
  return new Date(Math.max(...times.map(Number)))
}

/** Returns the whole seconds from `now` until `then`, rounded up, at least 1: the value of `Retry-After`. */
export function secondsUntil(then: Date, now: Date): number {
  return Math.max(1, Math.ceil((then.getTime() - now.getTime()) / 1000))
}

export const minute = 60
export const hour = 60 * minute
export const day = 24 * hour
