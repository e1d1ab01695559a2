/** Reads ids and handles as people write them. Pages use this file in the browser, too. */
import { asciiDigits, asciiWidth, trimmed, withoutSeparators } from './digits'

const isAscii = /^[\u0021-\u007e]*$/

/**
 * Returns an id with its prefix in the form that the service gives: "cert-o1jd …" is "CERT-01JD…". Blanks and dashes anywhere make no
 * difference, and letters that ids do not have are the digits that they look like, as in Crockford's base32. Ids of the service have none
 * of these letters, so two of them never become one. Returns any other text without its blanks.
 */
export function readId(prefix: string, text: string): string {
  const plain = withoutSeparators(asciiDigits(asciiWidth(text)))
  const upper = isAscii.test(plain) ? plain.toUpperCase() : plain
  if (!upper.startsWith(prefix)) return trimmed(text)
  return `${prefix}-${upper.slice(prefix.length).replaceAll('O', '0').replace(/[IL]/g, '1')}`
}

/** Returns a handle without the blanks around it and without `@`. */
export const readHandle = (text: string): string => asciiWidth(trimmed(text)).replace(/^@(?=[A-Za-z0-9])/, '')

/** Returns what names a person: an id of the service, or `@` and a handle. The reference of a search stays as it is. */
export function readPersonRef(text: string): string {
  const plain = asciiWidth(trimmed(text))
  return /^(?:@|found_)/.test(plain) ? plain : readId('DUCK', plain)
}
