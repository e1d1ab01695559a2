/** Returns the wall-clock time in a zone, to compare it with the time of the asker: "19:30". */
const clockIn = (at: string, zone: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: zone }).format(new Date(at))

/** Whether the clock of the viewer shows the time as the asker wrote it. `at`: with the offset of the asker. */
export const isSameClock = (at: string, zone: string | null): boolean =>
  zone !== null && at.slice(11, 16) === clockIn(at, zone)
