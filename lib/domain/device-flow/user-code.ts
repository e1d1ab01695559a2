/**
 * User codes (RFC 8628, section 6.1): eight consonants in two groups, `WDJB-MJHT`. Without vowels no words occur, and without digits no
 * two characters look alike. 20^8 codes, and few tries: see `find-waiting.ts`. A code is short, so only its keyed hash is stored.
 */
import { randomInt } from 'node:crypto'
import { z } from 'zod'
import { m } from '@/lib/kernel/messages'
import { keyedHash, previousKeyedHash } from '@/lib/kernel/secrets'
import { asciiWidth, withoutSeparators } from '@/lib/kernel/typed/digits'

const alphabet = 'BCDFGHJKLMNPQRSTVWXZ'

/** Returns a new code, without the hyphen. */
export function makeUserCode(): string {
  return Array.from({ length: 8 }, () => alphabet.charAt(randomInt(alphabet.length))).join('')
}

/** Returns a code as people read it, with a hyphen in the middle. */
export function showUserCode(code: string): string {
  return `${code.slice(0, 4)}-${code.slice(4)}`
}

/** The field of a request: people type lower case, blanks, other dashes, full-width letters, or no hyphen. Becomes eight capital letters. */
export const userCode = z
  .string()
  .max(40, { error: m.field_must_have_eight_letters_like_wdjb, abort: true })
  .overwrite((typed) => withoutSeparators(asciiWidth(typed)).toUpperCase())
  .regex(new RegExp(`^[${alphabet}]{8}$`), { error: m.field_must_have_eight_letters_like_wdjb })
  .meta({ pattern: undefined, examples: ['WDJB-MJHT'] })

/** Returns the hash to store. */
export function hashUserCode(code: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(keyedHash('user_code', code))
}

/** Returns the hashes to look up: also the one with the previous secret, while the secret is rotated. */
export function userCodeHashes(code: string): Uint8Array[] {
  const previous = previousKeyedHash('user_code', code)
  return previous === null ? [hashUserCode(code)] : [hashUserCode(code), previous]
}
