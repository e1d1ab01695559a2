/** What a browser says about the languages of its person (`Accept-Language`). */
import { parseAccept } from 'hono/utils/accept'
import { findLanguage } from '@/lib/kernel/language'

/** Longer headers are ignored: a browser lists a handful of languages. */
const longestHeader = 500

/** Returns the accepted language tags of an `Accept-Language` header, the preferred one first (RFC 9110, section 12.5.4). */
export function acceptedTags(header: string | undefined): string[] {
  if (header === undefined || header.length > longestHeader) return []
  return parseAccept(header)
    .filter(({ q }) => q > 0)
    .map(({ type }) => type)
}

/** Returns the language of a page: the first accepted one that has a table in `messages/`, else English. */
export function languageOf(header: string | undefined): string {
  for (const tag of acceptedTags(header)) {
    const language = findLanguage(tag)
    if (language !== null) return language
  }
  return 'en'
}
