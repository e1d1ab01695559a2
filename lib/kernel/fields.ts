/** Field schemas that several endpoints use. Code behind the schemas does not check these values again. */
import * as z from 'zod'
import { hasInvisible, mixesAlphabets } from './text/names'
import { tiers } from './tier'

/** A time in responses: ISO 8601 in UTC with milliseconds. Takes the `Date` of a row. */
export const instant = z
  .date()
  .transform((date) => date.toISOString())
  .meta({ type: 'string', format: 'date-time' })

export const tier = z.enum(tiers)

/** A trimmed text of `least` to `most` characters. Of the control characters it allows only tab and line feed. */
export function text(least: number, most: number) {
  return (
    z
      .string()
      .trim()
      .min(least, least === 1 ? 'must not be empty' : `must have at least ${least} characters`)
      .max(most, `must have at most ${most} characters`)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern rejects control characters
      .regex(/^[^\u0000-\u0008\u000b-\u001f\u007f]*$/, 'must not contain control characters')
  )
}

/**
 * A name of 1 to 64 characters (contract F, Names): one line without invisible characters and characters that change the direction of text,
 * and each word in one alphabet, because people read names when they decide on requests.
 */
export const label = text(1, 64)
  .regex(
    /^[^\t\n\u0080-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0]*$/,
    { error: 'must be one line without invisible characters', abort: true },
  )
  .refine((name) => !hasInvisible(name), {
    error: 'must not contain invisible characters; remove them or type the name again',
    abort: true,
  })
  .refine((name) => !mixesAlphabets(name), {
    error:
      'has a word with letters of several alphabets, such as Latin and Cyrillic; write each word in one alphabet',
    abort: true,
  })

/**
 * An email address: trimmed, normalized (NFKC), lower-cased, then checked (security bar, item 11). ASCII local part without
 * quotes, host name with a dot, at most 254 characters.
 */
export const email = z
  .string()
  .max(300, 'must have at most 254 characters')
  .refine(
    (value) => value.trim() === value.trim().normalize('NFKC'),
    'must not contain look-alike characters',
  )
  .transform((value) => value.trim().normalize('NFKC').toLowerCase())
  .pipe(
    z
      .string()
      .max(254, 'must have at most 254 characters')
      .regex(
        /^(?=[^@]{1,64}@)[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/,
        'must be an email address',
      ),
  )
  .meta({ type: 'string', format: 'email', maxLength: 254 })

export const otpCode = z.string().regex(/^\d{6}$/, 'must be six digits')

export const verbObject = z
  .string()
  .regex(
    /^[a-z][a-z0-9_-]{0,31}:[a-z][a-z0-9_.*/-]{0,63}$/,
    'must have the form verb:object, for instance read:profile',
  )

export const reason = text(1, 280)

/** What the API reference says of a whole number in a query, where every value arrives as a text. */
export const wholeNumber = { type: 'integer', pattern: undefined } as const

/**
 * For `when` of a check on a whole object. By default zod skips such a check when a field has a fault, but responses list all
 * faults at once (contract A).
 */
export const always = () => true
