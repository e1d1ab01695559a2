import { currentLanguage } from '@/lib/kernel/language'
import { m } from '@/lib/kernel/messages'
/** Times as text, in the zone of the person who reads. The same functions run on the server and in the browser. */

/** How a time is shown: the day with the time, the day alone, or the time of day with seconds. */
export type TimeForm = 'full' | 'day' | 'clock'

const formats = {
  full: { dateStyle: 'medium', timeStyle: 'short' },
  day: { dateStyle: 'long' },
  clock: { timeStyle: 'medium' },
  /** In the Swedish order: year, month, day. */
  group: { year: 'numeric', month: '2-digit', day: '2-digit' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

/** Returns the locale of dates, distances and numbers. English dates have the day before the month. */
export function readersLocale(): string {
  const language = currentLanguage()
  return language === 'en' ? 'en-GB' : language
}

// A formatter takes 50 times longer to make than to use. There are about 600 zones.
const formatters = new Map<string, Intl.DateTimeFormat>()
const distances = new Map<string, Intl.RelativeTimeFormat>()

function format(at: string, form: keyof typeof formats, zone: string): string {
  const locale = form === 'group' ? 'sv' : readersLocale()
  const key = `${locale} ${form} ${zone}`
  const formatter =
    formatters.get(key) ?? new Intl.DateTimeFormat(locale, { ...formats[form], timeZone: zone })
  formatters.set(key, formatter)
  return formatter.format(new Date(at))
}

/** Returns a time in UTC, marked as UTC: `21 Nov 2026, 10:00 UTC`. */
export function inUtc(at: string): string {
  return m.common_at_utc({ at: format(at, 'full', 'UTC') })
}

/** Returns a time in a zone. Without a zone, or in UTC, it is marked as UTC: `21 Nov 2026, 11:00`, `21 Nov 2026, 10:00 UTC`. */
export function inZone(at: string, zone: string | null, form: TimeForm = 'full'): string {
  if (form === 'full' && (zone === null || zone === 'UTC')) return inUtc(at)
  return format(at, form, zone ?? 'UTC')
}

/** Returns the day of a time in a zone, for grouping: `2026-11-21`. Without a zone: in UTC. */
export function dayIn(at: string, zone: string | null): string {
  return format(at, 'group', zone ?? 'UTC')
}

/** Returns a day as text: `21 November 2026`. */
export function longDay(day: string): string {
  return format(`${day}T00:00:00.000Z`, 'day', 'UTC')
}

/** Returns the distance of a time from `now`: `3 hours ago`, `in 2 days`. */
export function distanceFrom(now: Date, at: string): string {
  const seconds = Math.round((Date.parse(at) - now.getTime()) / 1000)
  const locale = readersLocale()
  const relative = distances.get(locale) ?? new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  distances.set(locale, relative)
  for (const [unit, size] of units) {
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit)
  }
  return Math.abs(seconds) < 5 ? m.common_just_now() : relative.format(seconds, 'second')
}
