/** Wall-clock times in IANA time zones. The data is that of the JavaScript engine, so daylight saving time is included. */

const timeZonePattern = /^[A-Za-z][\w+-]*(?:\/[\w+-]+)*$/

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  formats.set(timeZone, made)
  return made
}

/** Returns the name of a time zone as the time zone database writes it, or null for an unknown zone and for an offset such as +02:00. */
export function canonicalTimeZone(name: string): string | null {
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

/** Returns a time as people of the zone write it, with the name of the zone: "22 Nov 2026, 21:25 (Europe/Berlin)". */
export function localTime(at: Date, timeZone: string): string {
  return `${formatOf(timeZone).format(at)} (${timeZone})`
}
