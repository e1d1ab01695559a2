/** The header `Date` of answers. */
import type { ServerResponse } from 'node:http'
import { machineOffset, readClock } from '@/lib/kernel/clock'

/** A smaller difference does not show in a header with whole seconds. */
const shownSeconds = 1

/** Sets `Date` when the clock of this machine is wrong. Node would send that clock, and caches compute the age of an answer from it. */
export function correctDate(response: ServerResponse): void {
  if (Math.abs(machineOffset()) >= shownSeconds) response.setHeader('Date', readClock().toUTCString())
}
