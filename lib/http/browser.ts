/** What a client says about its person: the time zone and the language. Browsers send the language; the pages add the zone of their script. */
import type { Browser } from '@/lib/kernel/origin'
import { canonicalTimeZone } from '@/lib/kernel/time-zone'
import type { Call } from './call'
import { acceptedTags } from './language'

/** The IANA name of the time zone of the person who calls (contract A). */
export const timeZoneHeader = 'beak-time-zone'

/** Longer tags are ignored. */
const tagMax = 35

/** Returns the first language of an `Accept-Language` header as a BCP 47 tag, or null. */
function languageTag(header: string | undefined): string | null {
  const tag = acceptedTags(header).find((accepted) => accepted !== '*' && accepted.length <= tagMax)
  try {
    return tag === undefined ? null : (Intl.getCanonicalLocales(tag)[0] ?? null)
  } catch {
    return null
  }
}

/** Returns what the headers say about the person, or undefined when they say nothing that is valid. */
export function browserOf(headers: Call['headers']): Browser | undefined {
  const zone = headers[timeZoneHeader]
  const timeZone = zone === undefined || zone.length > 64 ? null : canonicalTimeZone(zone)
  const language = languageTag(headers['accept-language'])
  return timeZone === null && language === null ? undefined : { timeZone, language }
}
