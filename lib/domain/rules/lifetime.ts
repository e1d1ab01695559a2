/** How long a permission of a rule lives, and which periods of a budget have its use. */
import { periodOf } from '@beak/proofs/rules/period'
import type { Period } from '@beak/proofs/rules/rule'
import { minute } from '@/lib/kernel/runtime/clock'

/** When a period ends within this time, a permission lives at most so long, and is charged to the next period, too. */
const graceSeconds = 5 * minute

/** Whose days, weeks or months a budget counts. Without `per`, it has no periods. */
export interface Periods {
  per: Period | null
  timeZone: string
}

/** The period that has a use, and the one after it when the permission outlives the period. Null: the budget has no periods. */
export interface CountedIn {
  period: string | null
  next: string | null
}

/** Longer than any period, in seconds. */
const longest: Record<Period, number> = { day: 2 * 86_400, week: 8 * 86_400, month: 32 * 86_400 }

/** Returns the name of the period of a time, or null without periods. */
export const periodIn = ({ per, timeZone }: Periods, at: Date): string | null =>
  per === null ? null : periodOf(per, timeZone, at)

/** Returns the first second in which `isAfter` is true: not yet in the second `from`, and certainly in the second `until`. */
function firstSecond(from: number, until: number, isAfter: (at: Date) => boolean): Date {
  let [low, high] = [from, until]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (isAfter(new Date(middle * 1000))) high = middle
    else low = middle
  }
  return new Date(high * 1000)
}

/** The ends of periods by the name of the period. Finding one formats about twenty dates. */
const ends = new Map<string, Date>()
const endsMax = 1000

/** Returns when the period of a time ends, which is when the next one begins. */
export function periodEnd(per: Period, timeZone: string, at: Date): Date {
  const period = periodOf(per, timeZone, at)
  const key = `${per} ${timeZone} ${period}`
  const found = ends.get(key)
  if (found !== undefined) return found
  const second = Math.floor(at.getTime() / 1000)
  const end = firstSecond(second, second + longest[per], (time) => periodOf(per, timeZone, time) > period)
  if (ends.size >= endsMax) ends.clear()
  ends.set(key, end)
  return end
}

/** Returns when the period of a time began. */
export function periodStart(per: Period, timeZone: string, at: Date): Date {
  const period = periodOf(per, timeZone, at)
  const second = Math.floor(at.getTime() / 1000)
  return firstSecond(second - longest[per], second, (time) => periodOf(per, timeZone, time) >= period)
}

/**
 * Returns when a permission of a rule ends: when the asker wished, when the rule ends (both in `wished`), or with the first period of a budget.
 * When that period ends within five minutes, the permission lives five minutes at most, so that it can be used.
 */
export function permissionEnd(wished: readonly Date[], budgets: readonly Periods[], now: Date): Date {
  const least = now.getTime() + graceSeconds * 1000
  const periodEnds = budgets.flatMap(({ per, timeZone }) =>
    per === null ? [] : [periodEnd(per, timeZone, now).getTime()],
  )
  return new Date(Math.min(...wished.map(Number), Math.max(least, Math.min(...periodEnds))))
}

/** Returns which periods of a budget have a use at a time whose permission ends at `until`. */
export function countedIn(budget: Periods, now: Date, until: Date): CountedIn {
  const { per, timeZone } = budget
  if (per === null) return { period: null, next: null }
  const end = periodEnd(per, timeZone, now)
  return { period: periodIn(budget, now), next: until > end ? periodIn(budget, end) : null }
}
