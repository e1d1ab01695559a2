const dateOnly = /^\d{4}-\d{2}-\d{2}$/
const clock = '(?:[01]\\d|2[0-3]):[0-5]\\d'
const dateAndTime = new RegExp(
  `^(\\d{4}-\\d{2}-\\d{2})T(${clock})(?::([0-5]\\d)(?:\\.\\d{1,9})?)?(Z|[+-]${clock})?$`,
)

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const months = 'January February March April May June July August September October November December'.split(
  ' ',
)

/** Returns the day in words, or null when there is no such day. Without `Intl`, so that every version of Node writes the same text. */
export function dayWords(day: string): string | null {
  const date = new Date(`${day}T00:00:00Z`)
  if (Number.isNaN(date.getTime()) || !date.toISOString().startsWith(day)) return null
  return `${weekdays[date.getUTCDay()]} ${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`
}

/** Whether a text is a day without a time. */
export const isDay = (text: string): boolean => dateOnly.test(text) && dayWords(text) !== null

/** The parts of a time as it was sent. */
export interface DateParts {
  /** YYYY-MM-DD. */
  date: string
  time: string
  /** Null: no time zone is named. */
  zone: string | null
}

/** Returns the parts of an ISO 8601 time, or null for any other text. */
export function dateParts(text: string): DateParts | null {
  const [, date = '', time = '', seconds, zone] = dateAndTime.exec(text) ?? []
  if (dayWords(date) === null) return null
  const exact = seconds === undefined || seconds === '00' ? time : `${time}:${seconds}`
  return { date, time: exact, zone: zone === undefined ? null : zone === 'Z' ? 'UTC' : `UTC${zone}` }
}

/**
 * Returns an ISO 8601 date or time in words: "Saturday 5 December 2026, 19:30 (UTC+01:00)". Keeps the hour and the zone of the asker, so
 * that the words mean the same everywhere. Returns null for any other text.
 */
export function dateWords(text: string): string | null {
  if (isDay(text)) return dayWords(text)
  const parts = dateParts(text)
  return parts === null
    ? null
    : `${dayWords(parts.date)}, ${parts.time} (${parts.zone ?? 'no time zone named'})`
}
