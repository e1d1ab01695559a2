/** Reads times as people and programs write them. */
import { asciiDigits, asciiWidth, trimmed } from './digits'

const clockForm = /^(\d{1,2})[:.h]([0-5]\d)(?::00)?(?:\s*([ap])\.?m\.?)?$/i

/**
 * Returns a time of day as HH:MM: "9:30", "09.30", "9h30", "9:30 pm" and "21:30:00". Returns the text as it is when it is none, or when an hour
 * has two readings ("0:30 pm").
 */
export function readClockTime(text: string): string {
  const plain = asciiDigits(asciiWidth(trimmed(text)))
  const [, hour = '', minute, half] = clockForm.exec(plain) ?? []
  if (minute === undefined) return text
  const hours = hourOf(Number(hour), half?.toLowerCase())
  return hours === null ? text : `${String(hours).padStart(2, '0')}:${minute}`
}

function hourOf(hour: number, half: string | undefined): number | null {
  if (half === undefined) return hour < 24 ? hour : null
  if (hour < 1 || hour > 12) return null
  return (hour % 12) + (half === 'p' ? 12 : 0)
}

const instantForm =
  /^(\d{4}-\d\d-\d\d)(?:[tT]|\s+)(\d\d:\d\d)(:\d\d(?:\.\d+)?)?\s*(?:[zZ]|([+\-\u2212])(\d\d):?(\d\d))$/

/**
 * Returns a time as ISO 8601 has it: also with a blank or "t" between day and time, "z", and an offset without its colon (RFC 3339, section 5.6).
 * Returns the text as it is when it has another form: a day such as 03/04/2026 has two readings, and a time without an offset many.
 */
export function readInstant(text: string): string {
  const plain = asciiDigits(asciiWidth(trimmed(text)))
  const [, day, time, seconds = ':00', sign, hours, minutes] = instantForm.exec(plain) ?? []
  if (day === undefined) return text
  const offset = sign === undefined ? 'Z' : `${sign === '+' ? '+' : '-'}${hours}:${minutes}`
  return `${day}T${time}${seconds}${offset}`
}
