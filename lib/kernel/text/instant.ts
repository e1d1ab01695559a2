/** Times as text, for answers with many of them: `Date.toISOString` takes several times as long. */

const msOfDay = 86_400_000

const padded = (count: number, length: number) =>
  Array.from({ length: count }, (_, value) => String(value).padStart(length, '0'))
const twoDigits = padded(60, 2)
const threeDigits = padded(1000, 3)

/** The times of answers are of a few days. More than this many days are not kept. */
const daysMax = 1000
const days = new Map<number, string>()

/** Returns the date and its `T`. */
function dayText(day: number): string {
  const known = days.get(day)
  if (known !== undefined) return known
  const text = new Date(day * msOfDay).toISOString().slice(0, -'00:00:00.000Z'.length)
  if (days.size >= daysMax) days.clear()
  days.set(day, text)
  return text
}

/** Returns the same text as `date.toISOString()`. Throws `RangeError` for an invalid date. */
export function instantText(date: Date): string {
  const ms = date.getTime()
  const day = Math.floor(ms / msOfDay)
  const msInDay = ms - day * msOfDay
  const minutes = Math.floor(msInDay / 60_000)
  const msInMinute = msInDay - minutes * 60_000
  const seconds = Math.floor(msInMinute / 1000)
  const time = `${twoDigits[Math.floor(minutes / 60)]}:${twoDigits[minutes % 60]}:${twoDigits[seconds]}`
  return `${dayText(day)}${time}.${threeDigits[msInMinute - seconds * 1000]}Z`
}
