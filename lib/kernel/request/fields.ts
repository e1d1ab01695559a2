/** Field schemas that several endpoints use. Code behind the schemas does not check these values again. */
import { actionForm } from '@beak/decision/action-form'
import * as z from 'zod'
import { m } from '@/lib/kernel/messages'
import { hasInvisible, mixesAlphabets } from '@/lib/kernel/text/names'
import { readCode } from '@/lib/kernel/typed/digits'
import { readInstant } from '@/lib/kernel/typed/time'
import { tiers } from './tier'

/** A time in responses: ISO 8601 in UTC with milliseconds. Takes the `Date` of a row. */
export const instant = z
  .date()
  .transform((date) => date.toISOString())
  .meta({ type: 'string', format: 'date-time' })

const anyTime = z
  .string()
  .overwrite(readInstant)
  .pipe(z.iso.datetime({ offset: true, error: m.field_timestamp_format }))
  .transform((text) => new Date(text))

/** A time in requests. Takes ISO 8601 with any offset (contract A, Spellings). */
export const time = (description: string) =>
  anyTime.meta({ type: 'string', format: 'date-time', description })

/** The same, or null. */
export const timeOrNull = (description: string) =>
  anyTime.nullable().meta({ type: ['string', 'null'], format: 'date-time', description })

export const tier = z.enum(tiers)

/** A trimmed text of `least` to `most` characters. Of the control characters it allows only tab and line feed. */
export function text(least: number, most: number) {
  return (
    z
      .string()
      .trim()
      .min(
        least,
        least === 1
          ? { error: m.field_must_not_be_empty }
          : { error: () => m.field_must_have_at_least_characters({ count: least }) },
      )
      .max(most, { error: () => m.field_must_have_at_most_characters({ count: most }) })
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern rejects control characters
      .regex(/^[^\u0000-\u0008\u000b-\u001f\u007f]*$/, { error: m.field_must_not_contain_control_characters })
  )
}

export const labelMax = 64

/**
 * A name of 1 to 64 characters (contract F, Names): one line without invisible characters and characters that change the direction of text,
 * and each word in one alphabet, because people read names when they decide on requests.
 */
export const label = text(1, labelMax)
  .regex(
    /^[^\t\n\u0080-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0]*$/,
    { error: m.field_text_single_line, abort: true },
  )
  .refine((name) => !hasInvisible(name), {
    error: m.field_invisible_characters,
    abort: true,
  })
  .refine((name) => !mixesAlphabets(name), {
    error:
      'has a word with letters of several alphabets, such as Latin and Cyrillic; write each word in one alphabet',
    abort: true,
  })

/** Six digits. Read as people type them (contract A, Spellings). Without a pattern in the reference, because more than the six digits is accepted. */
const sixDigits = (error: () => string) =>
  z
    .string()
    .max(64, { error, abort: true })
    .overwrite(readCode)
    .regex(/^\d{6}$/, { error })
    .meta({ pattern: undefined, maxLength: undefined, examples: ['123456'] })

export const otpCode = sixDigits(m.field_must_be_six_digits)

/** The code that a service which requires it shows to the person. */
export const serviceCode = sixDigits(m.field_challenge_code_format)

export const verbObject = z.string().regex(actionForm, {
  error: m.field_action_format,
})

export const reason = text(1, 280)

/** What the API reference says of a whole number in a query, where every value arrives as a text. */
export const wholeNumber = { type: 'integer', pattern: undefined } as const

/**
 * For `when` of a check on a whole object. By default zod skips such a check when a field has a fault, but responses list all
 * faults at once.
 */
export const always = () => true
