/** The time zone of the browser, from a cookie that a script of every page keeps up to date (components/local-times.tsx). */
import { cookies } from 'next/headers'
import { cache } from 'react'
import { canonicalTimeZone } from '@/lib/kernel/text/time-zone'

export const zoneCookie = 'beak.zone'

/** Returns the IANA name of the browser's zone. Null in a first view, and in browsers without scripts: times are then in UTC. */
export const chosenZone = cache(async (): Promise<string | null> => {
  const value = (await cookies()).get(zoneCookie)?.value
  return value === undefined ? null : canonicalTimeZone(value)
})
