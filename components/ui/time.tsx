const full = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

/** Returns the day of an instant in UTC: `21 November 2026`. */
export function longDate(at: string): string {
  return date.format(new Date(at))
}

/** Returns the distance of an instant from `now`: `3 hours ago`, `in 2 days`. */
function distance(at: string, now: Date): string {
  const seconds = Math.round((Date.parse(at) - now.getTime()) / 1000)
  for (const [unit, size] of units) {
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit)
  }
  return Math.abs(seconds) < 5 ? 'just now' : relative.format(seconds, 'second')
}

/**
 * Shows an instant in UTC, or its distance from `now`. The exact time is in the title. Render it on the server only, so that server and
 * browser show the same text.
 */
export function Time({ at, now, dateOnly = false }: { at: string; now?: Date; dateOnly?: boolean }) {
  const instant = new Date(at)
  const words = now ? distance(at, now) : dateOnly ? longDate(at) : `${full.format(instant)} UTC`
  return (
    <time dateTime={at} title={`${full.format(instant)} UTC`} className="tabular-nums">
      {words}
    </time>
  )
}
