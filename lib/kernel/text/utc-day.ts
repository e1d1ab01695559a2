/** Days in UTC, as YYYY-MM-DD. */

const dayMilliseconds = 86_400_000

/** Returns the day (UTC) of an instant, as YYYY-MM-DD. */
export function dayOf(instant: Date): string {
  return instant.toISOString().slice(0, 10)
}

/** Returns the day that many days later. */
export function daysAfter(day: string, days: number): string {
  return dayOf(new Date(Date.parse(day) + days * dayMilliseconds))
}

/** Returns the number of days from one day to another. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / dayMilliseconds)
}
