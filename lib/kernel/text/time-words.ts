/** Times as text, in the language of the page and in the zone of the person who reads. */
import { distanceText, type TimeForm, timeText } from '@beak/decision/times'
import { m } from '@/lib/kernel/messages'
import { currentLanguage } from '@/lib/kernel/text/language'

/** Returns the locale of dates, distances and numbers. English dates have the day before the month. */
export function readersLocale(): string {
  const language = currentLanguage()
  return language === 'en' ? 'en-GB' : language
}

/** Returns a time in UTC, marked as UTC: `21 Nov 2026, 10:00 UTC`. */
export function inUtc(at: string): string {
  return m.common_at_utc({ at: timeText(at, 'full', 'UTC', readersLocale()) })
}

/** Returns a time in a zone. Without a zone, or in UTC, it is marked as UTC: `21 Nov 2026, 11:00`, `21 Nov 2026, 10:00 UTC`. */
export function inZone(at: string, zone: string | null, form: TimeForm = 'full'): string {
  if (form === 'full' && (zone === null || zone === 'UTC')) return inUtc(at)
  return timeText(at, form, zone ?? 'UTC', readersLocale())
}

/** Returns the day of a time in a zone, for grouping: `2026-11-21`. Without a zone: in UTC. */
export function dayIn(at: string, zone: string | null): string {
  return timeText(at, 'group', zone ?? 'UTC', readersLocale())
}

/** Returns a day as text: `21 November 2026`. */
export function longDay(day: string): string {
  return timeText(`${day}T00:00:00.000Z`, 'day', 'UTC', readersLocale())
}

/** Returns the distance of a time from `now`: `3 hours ago`, `in 2 days`. */
export const distanceFrom = (now: Date, at: string): string =>
  distanceText(now, at, readersLocale()) ?? m.common_just_now()
