/** Reads times of the database. A list has up to five a row, and `new Date` of a text takes several times as long. */

const zero = '0'.charCodeAt(0)

/** Returns the number that two digits of a text are. */
const twoDigits = (text: string, at: number) =>
  (text.charCodeAt(at) - zero) * 10 + text.charCodeAt(at + 1) - zero

/** Returns the milliseconds of the fraction that begins at `at` with its point. Drops microseconds. */
function milliseconds(text: string, at: number): number {
  let ms = 0
  let unit = 100
  for (let index = at + 1; unit >= 1; index++, unit /= 10) {
    const digit = text.charCodeAt(index) - zero
    if (!(digit >= 0 && digit <= 9)) break
    ms += digit * unit
  }
  return ms
}

/** Returns a time such as `2026-11-22 06:00:00.123+00`: sessions of the service use UTC. */
export function parseInstant(text: string): Date {
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2)
  const day = Date.UTC(year, twoDigits(text, 5) - 1, twoDigits(text, 8))
  const seconds = twoDigits(text, 11) * 3600 + twoDigits(text, 14) * 60 + twoDigits(text, 17)
  const fraction = text.charAt(19) === '.' ? milliseconds(text, 19) : 0
  return new Date(day + seconds * 1000 + fraction)
}
