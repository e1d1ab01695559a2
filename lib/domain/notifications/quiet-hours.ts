/** Quiet hours: the part of each day in which an account gets no mails about waiting pecks. */
import { minute, secondsAfter } from '@/lib/kernel/clock'
import { minuteOfDay } from '@/lib/kernel/time-zone'

/** From `from` up to, but not including, `to`: minutes after midnight. `from` may be later than `to`: then they include midnight. */
export interface QuietHours {
  from: number
  to: number
  timeZone: string
}

const minutesPerDay = 24 * 60

function isQuiet(at: Date, { from, to, timeZone }: QuietHours): boolean {
  const time = minuteOfDay(at, timeZone)
  return from < to ? from <= time && time < to : time >= from || time < to
}

const wholeMinute = (at: Date) => new Date(Math.floor(at.getTime() / 60_000) * 60_000)
const minutesAfter = (at: Date, minutes: number) => secondsAfter(at, minutes * minute)
/** The minutes from one time of day forward to another. */
const minutesBetween = (from: number, to: number) => (to - from + 2 * minutesPerDay) % minutesPerDay

/**
 * Returns the first time from `at` on that is not quiet. A time of day that the clock skips counts as reached when the clock has
 * passed it.
 */
export function afterQuiet(at: Date, quiet: QuietHours | null): Date {
  if (quiet === null || !isQuiet(at, quiet)) return at
  const start = wholeMinute(at)
  const guess = minutesAfter(start, minutesBetween(minuteOfDay(start, quiet.timeZone), quiet.to))
  let end = minutesAfter(guess, drift(guess, quiet.to, quiet.timeZone))
  while (isQuiet(end, quiet)) end = minutesAfter(end, 1)
  return end
}

/** Returns the last time before `at` at which the quiet hours around `at` began, or `at` itself when it is not quiet. */
export function startOfQuiet(at: Date, quiet: QuietHours | null): Date {
  if (quiet === null || !isQuiet(at, quiet)) return at
  const end = wholeMinute(at)
  const guess = minutesAfter(end, -minutesBetween(quiet.from, minuteOfDay(end, quiet.timeZone)))
  let start = minutesAfter(guess, drift(guess, quiet.from, quiet.timeZone))
  while (!isQuiet(start, quiet)) start = minutesAfter(start, 1)
  return start
}

/** The minutes from a guess to the time of day that it should have. Not 0 when the clock was changed in between. */
function drift(guess: Date, timeOfDay: number, timeZone: string): number {
  const half = minutesPerDay / 2
  return minutesBetween(minuteOfDay(guess, timeZone) + half, timeOfDay) - half
}
