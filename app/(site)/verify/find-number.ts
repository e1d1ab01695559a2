import { asciiDigits, asciiWidth } from '@/lib/kernel/typed/digits'
import { readId } from '@/lib/kernel/typed/id'

type Prefix = 'CERT' | 'AGT' | 'PECK' | 'DUCK'

/** Reads a number with that prefix. Returns null for one with a letter that no number has, such as U. */
function read(prefix: Prefix, text: string): string | null {
  const id = readId(prefix, text)
  return new RegExp(`^${prefix}-[0-9A-HJKMNP-TV-Z]{16,64}$`).test(id) ? id : null
}

/**
 * Returns the number with that prefix in a pasted or typed text, or null when there is none. The text is the number, also with blanks and dashes
 * in it, or an address that contains it.
 */
export function findNumber(prefix: Prefix, text: string): string | null {
  const plain = asciiDigits(asciiWidth(text)).toUpperCase()
  const [named] = new RegExp(`(?<![0-9A-Z])${prefix}-[0-9A-Z]{16,64}(?![0-9A-Z])`).exec(plain) ?? []
  return read(prefix, named ?? text)
}

/** Returns the certificate number in a text, also one without its prefix, or null. */
export function findCertificateId(text: string): string | null {
  const bare = read('CERT', `CERT-${text}`)
  return findNumber('CERT', text) ?? (bare?.length === 'CERT-'.length + 26 ? bare : null)
}
