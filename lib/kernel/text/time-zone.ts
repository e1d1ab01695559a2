/** Wall-clock times in IANA time zones. The JavaScript engine has the data, so daylight saving time is included. */

const timeZonePattern = /^[A-Za-z][\w+-]*(?:\/[\w+-]+)*$/

/** Returns a function that makes the format of a zone once. A format takes much longer to make than to use. */
function formatsOf(
  locale: string,
  options: Intl.DateTimeFormatOptions,
): (timeZone: string) => Intl.DateTimeFormat {
  const formats = new Map<string, Intl.DateTimeFormat>()
  return (timeZone) => {
    const format = formats.get(timeZone) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone })
    formats.set(timeZone, format)
    return format
  }
}

const formatOf = formatsOf('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

const numbersOf = formatsOf('en', {
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  hourCycle: 'h23',
})

/**
 * Returns the name of a time zone as the time zone database of the engine writes it, or null for an unknown zone and for an offset such as +02:00.
 * Case, blanks for "_" and another name of the zone ("Europe/Kyiv", "Europe/Kiev") make no difference.
 */
export function canonicalTimeZone(typed: string): string | null {
  const name = typed.trim().replace(/ +/g, '_')
  if (!timeZonePattern.test(name)) return null
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return null
  }
}

/** Returns the names of all time zones, in alphabetical order. */
export function timeZones(): string[] {
  return [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'])].sort()
}

/** Returns the minutes since midnight that a clock in the time zone shows. */
export function minuteOfDay(at: Date, timeZone: string): number {
  const parts = formatOf(timeZone).formatToParts(at)
  const numberOf = (type: string) => Number(parts.find((part) => part.type === type)?.value)
  return numberOf('hour') * 60 + numberOf('minute')
}

/** Returns the day that a calendar in the time zone shows: "2026-11-22". */
export function dayOf(at: Date, timeZone: string): string {
  return new Date(at.getTime() + offsetAt(at, timeZone)).toISOString().slice(0, 10)
}

/** Returns the day after a day: "2026-11-23" for "2026-11-22". */
export function dayAfter(date: string): string {
  return new Date(Date.parse(date) + dayLength).toISOString().slice(0, 10)
}

/** Returns when clocks in the time zone show that hour on that day. Where clocks skip the hour, the time that the skipped one becomes. */
export function timeOn(date: string, hour: number, timeZone: string): Date {
  const shown = Date.parse(date) + hour * 60 * minuteLength
  const near = shown - offsetAt(new Date(shown), timeZone)
  return new Date(shown - offsetAt(new Date(near), timeZone))
}

const minuteLength = 60_000
const dayLength = 24 * 60 * minuteLength

/** Returns by how many milliseconds clocks in the time zone are ahead of UTC. */
function offsetAt(at: Date, timeZone: string): number {
  const parts = numbersOf(timeZone).formatToParts(at)
  const numberOf = (type: string) => Number(parts.find((part) => part.type === type)?.value)
  const shown = Date.UTC(
    numberOf('year'),
    numberOf('month') - 1,
    numberOf('day'),
    numberOf('hour'),
    numberOf('minute'),
  )
  return shown - Math.floor(at.getTime() / minuteLength) * minuteLength
}

/** Returns a time as people of the zone write it: "22 Nov 2026, 21:25". */
export function localTime(at: Date, timeZone: string): string {
  return formatOf(timeZone).format(at)
}
