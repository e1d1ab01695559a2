/** What a browser says about the languages of its person (`Accept-Language`). */

import { parseAccept } from 'hono/utils/accept'
import type { Browser } from '@/lib/kernel/request/origin'
import { findLanguage } from '@/lib/kernel/text/language'
import { canonicalTimeZone } from '@/lib/kernel/text/time-zone'
import type { Call } from './call'

/** Longer headers are ignored: a browser lists a handful of languages. */
const longestHeader = 500

/** Returns the accepted language tags of an `Accept-Language` header, the preferred one first (RFC 9110, section 12.5.4). */
function acceptedTags(header: string | undefined): string[] {
  if (header === undefined || header.length > longestHeader) return []
  return parseAccept(header)
    .filter(({ q }) => q > 0)
    .map(({ type }) => type)
}

/** Returns the language of a page: the first accepted one that has tables, else English. */
export function languageOf(header: string | undefined): string {
  for (const tag of acceptedTags(header)) {
    const language = findLanguage(tag)
    if (language !== null) return language
  }
  return 'en'
}

/** Whether the answer should be JSON: the client names it, and does not also take HTML. */
export function wantsJson(accept: string): boolean {
  return /\bapplication\/json\b/i.test(accept) && !/\btext\/html\b/i.test(accept)
}

/** What a client says about its person: the time zone and the language. Browsers send the language; the pages add the zone of their script. */

/** The IANA name of the time zone of the person who calls. */
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
