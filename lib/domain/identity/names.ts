/** The two names of a person (contract F, Names). */
import { withoutAccents } from '@beak/decision/accents'
import { z } from 'zod'
import { m } from '@/lib/kernel/messages'
import { randomSecret } from '@/lib/kernel/secrets/secrets'
import {
  hasInvisible,
  hasOnlyNameCharacters,
  hasStyledLetters,
  mixesScripts,
  stacksMarks,
} from '@/lib/kernel/text/names'
import { imitatesLatin, isReserved, soundsLikePages } from '@/lib/kernel/text/reserved-words'

const reservedFault = m.field_name_reserved_word
const soundingFault = m.field_name_sounds_reserved

/** 3–32 letters and digits, without a reserved word and words of the pages (contract F, Names). */
export const displayName = z
  .string()
  .regex(/^[A-Za-z0-9]{3,32}$/, {
    error: ({ input }) => (/\s/.test(String(input)) ? m.field_handle_spaces() : m.field_handle_format()),
    abort: true,
  })
  .refine((name) => !isReserved(name), { error: reservedFault, abort: true })
  .refine((name) => !soundsLikePages(name), { error: soundingFault })

/** The most characters of a full name, counted in code points. */
const fullNameMax = 40

/** A telephone number or a card number has more. */
const fullNameDigitsMax = 4

const startsAndEnds = /^[\p{L}\p{Nd}\u3007'’].*(?<=[\p{L}\p{M}\p{Nd}\u3007\u05f3\u0f0b.'’\u200c\u200d])$/u
/** Mail programs make a link of "example.com". */
const linked = /\.[\p{L}\p{Nd}][\p{L}\p{M}\p{Nd}]/u

/** What a full name must not be, in the order in which it is checked. Only the first fault is reported. */
const fullNameFaults: [(name: string) => boolean, () => string][] = [
  [(name) => name === '', m.field_must_not_be_empty],
  [
    (name) => [...name].length > fullNameMax,
    () => m.field_must_have_at_most_shorten_it({ count: fullNameMax }),
  ],
  [(name) => /[\p{Cc}\p{Zl}\p{Zp}]/u.test(name), m.field_name_line_break],
  [hasInvisible, m.field_invisible_characters],
  [hasStyledLetters, m.field_name_special_letters],
  [(name) => !hasOnlyNameCharacters(name), m.field_name_allowed_signs],
  [(name) => !/[\p{Lu}\p{Ll}\p{Lt}\p{Lo}]/u.test(name), m.field_must_have_at_least_one_letter],
  [stacksMarks, m.field_name_accents_excess],
  [(name) => !startsAndEnds.test(name) || /([-'’.·・])[-'’.·・]*\1/u.test(name), m.field_name_sign_misplaced],
  [(name) => linked.test(name), m.field_name_like_url],
  [mixesScripts, m.field_name_mixed_scripts],
  [(name) => /\p{scx=Latn}/u.test(name) && name.split(' ').some(imitatesLatin), m.field_name_fake_latin],
  [
    (name) => (name.match(/\p{Nd}/gu) ?? []).length > fullNameDigitsMax,
    () => m.field_name_digits_excess({ count: fullNameDigitsMax }),
  ],
  [isReserved, reservedFault],
  [soundsLikePages, soundingFault],
]

/** Hyphens and dashes that look like "-", and strokes that only make a word of Arabic or N'Ko longer. */
const otherHyphens = /[\u2010\u2011\u2013]/g
const lengtheningStrokes = /[\u0640\u07fa]/g
/** The dot after up to three letters, directly before a name: "Dr.Müller", "K.R.Narayanan". */
const dotBeforeName = /(?<=(?<![\p{L}\p{M}\p{Nd}])(?:\p{L}\p{M}*){1,3})\.(?=\p{Lu}\p{M}*\p{L})/gu

/** Returns a name with the usual signs in the usual places, in NFC. */
export function tidyName(name: string): string {
  return name
    .normalize('NFC')
    .replace(otherHyphens, '-')
    .replace(lengtheningStrokes, '')
    .replace(dotBeforeName, '. ')
    .trim()
    .replace(/\p{Zs}+/gu, ' ')
}

/** The name of a person in any script, 1 to 40 characters (contract F, Names). Normalized to NFC, trimmed, with single spaces. */
export const fullName = z
  .string()
  .max(1000, { error: () => m.field_must_have_at_most_shorten_it({ count: fullNameMax }), abort: true })
  .transform(tidyName)
  .superRefine((name, context) => {
    const fault = fullNameFaults.find(([hasFault]) => hasFault(name))
    if (fault !== undefined) context.addIssue({ code: 'custom', message: fault[1]() })
  })
  .meta({ type: 'string', minLength: 1 })

/** Latin letters that consist of no letter and accent. */
const latinLetters: Record<string, string> = {
  æ: 'ae',
  ð: 'd',
  đ: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  ŋ: 'n',
  ø: 'o',
  œ: 'oe',
  þ: 'th',
  ŧ: 't',
  ə: 'e',
}

function plainLetter(letter: string): string {
  const lower = letter.toLowerCase()
  const plain = latinLetters[lower] ?? ''
  return letter === lower ? plain : plain.charAt(0).toUpperCase() + plain.slice(1)
}

/**
 * Returns the display name for a full name: its Latin letters without accents, and its digits. Null when less than 3 characters are left, as
 * of a name in another script, or when they are a reserved word.
 */
export function displayNameFor(full: string): string | null {
  const characters = withoutAccents(full)
    .replace(/(?![A-Za-z])\p{L}/gu, plainLetter)
    .replace(/[^A-Za-z0-9]/g, '')
  return displayName.safeParse(characters.slice(0, 32)).data ?? null
}

/** Returns a random display name for somebody whose name gives none. Random letters can sound like words of the service: such a name is not used. */
export function inventedName(): string {
  for (;;) {
    const name = `Duck${randomSecret(5)}`
    if (displayName.safeParse(name).success) return name
  }
}
