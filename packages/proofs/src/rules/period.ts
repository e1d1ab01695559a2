/** The days, weeks and months of a budget, in the time zone of the person who signed the rule. */
import type { Period } from './rule'

/** One for each time zone, because making one takes long. */
const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const found = formats.get(timeZone)
  if (found !== undefined) return found
  const made = new Intl.DateTimeFormat('en-US', {
    calendar: 'gregory',
    numberingSystem: 'latn',
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  formats.set(timeZone, made)
  return made
}

/** Returns the day in a time zone: "2026-11-25". Throws for an unknown time zone. */
function dayIn(timeZone: string, time: Date): string {
  const parts = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(time)
      .map(({ type, value }) => [type, value]),
  )
  return `${parts.year?.padStart(4, '0')}-${parts.month}-${parts.day}`
}

/**
 * Returns the name of the period of a time: the day "2026-11-25", the Monday of its week, or the month "2026-11". A period begins at the local
 * midnight, so the day on which clocks change has 23 or 25 hours. Names of later periods are greater as texts. Throws for an unknown time zone.
 */
export function periodOf(per: Period, timeZone: string, time: Date): string {
  const day = dayIn(timeZone, time)
  if (per === 'day') return day
  if (per === 'month') return day.slice(0, 7)
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7))
  return date.toISOString().slice(0, 10)
}
