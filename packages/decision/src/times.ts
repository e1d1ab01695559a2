/** Times as text, in a language and in the zone of the person who reads. The same functions run on the server and in the browser. */

/** How a time is shown: the day with the time, the day alone, or the time of day. */
export type TimeForm = 'full' | 'day' | 'clock'

const formats = {
  full: { dateStyle: 'medium', timeStyle: 'short' },
  day: { dateStyle: 'long' },
  clock: { timeStyle: 'short' },
  /** In the Swedish order: year, month, day. */
  group: { year: 'numeric', month: '2-digit', day: '2-digit' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

// A formatter takes 50 times longer to make than to use. There are about 600 zones.
const formatters = new Map<string, Intl.DateTimeFormat>()
const distances = new Map<string, Intl.RelativeTimeFormat>()

/** Returns a time in a zone. */
export function timeText(at: string, form: keyof typeof formats, zone: string, reader: string): string {
  const locale = form === 'group' ? 'sv' : reader
  const key = `${locale} ${form} ${zone}`
  const formatter =
    formatters.get(key) ?? new Intl.DateTimeFormat(locale, { ...formats[form], timeZone: zone })
  formatters.set(key, formatter)
  return formatter.format(new Date(at))
}

/** Returns the distance of a time from `now`: `3 hours ago`, `in 2 days`. Null when it is less than five seconds. */
export function distanceText(now: Date, at: string, locale: string): string | null {
  const seconds = Math.round((Date.parse(at) - now.getTime()) / 1000)
  const relative = distances.get(locale) ?? new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  distances.set(locale, relative)
  for (const [unit, size] of units) {
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit)
  }
  return Math.abs(seconds) < 5 ? null : relative.format(seconds, 'second')
}
