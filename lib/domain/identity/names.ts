/** The two names of a person (contract F, Names). */
import { z } from 'zod'
import { randomSecret } from '@/lib/kernel/secrets'
import { withoutAccents } from '@/lib/kernel/text/accents'
import {
  hasInvisible,
  hasOnlyNameCharacters,
  hasStyledLetters,
  mixesScripts,
  stacksMarks,
} from '@/lib/kernel/text/names'
import { imitatesLatin, isReserved, soundsLikePages } from '@/lib/kernel/text/reserved-words'

const reservedFault = 'contains a reserved word, or looks like one; choose another name'
const soundingFault = 'sounds like words of this service; choose another name'

/** 3–32 letters and digits, without a reserved word and words of the pages (contract F, Names). */
export const displayName = z
  .string()
  .regex(/^[A-Za-z0-9]{3,32}$/, {
    error: ({ input }) =>
      /\s/.test(String(input))
        ? 'must not contain spaces: only 3–32 letters and digits (A–Z, a–z, 0–9)'
        : 'must be 3–32 letters and digits (A–Z, a–z, 0–9)',
    abort: true,
  })
  .refine((name) => !isReserved(name), { error: reservedFault, abort: true })
  .refine((name) => !soundsLikePages(name), soundingFault)

/** The most characters of a full name, counted in code points. */
const fullNameMax = 40

/** A telephone number or a card number has more. */
const fullNameDigitsMax = 4

const startsAndEnds = /^[\p{L}\p{Nd}\u3007'’].*(?<=[\p{L}\p{M}\p{Nd}\u3007\u05f3\u0f0b.'’\u200c\u200d])$/u
/** Mail programs make a link of "example.com". */
const linked = /\.[\p{L}\p{Nd}][\p{L}\p{M}\p{Nd}]/u

/** What a full name must not be, in the order in which it is checked. Only the first fault is reported. */
const fullNameFaults: [(name: string) => boolean, string][] = [
  [(name) => name === '', 'must not be empty'],
  [(name) => [...name].length > fullNameMax, `must have at most ${fullNameMax} characters; shorten it`],
  [(name) => /[\p{Cc}\p{Zl}\p{Zp}]/u.test(name), 'must be one line; remove the line break or tab'],
  [hasInvisible, 'must not contain invisible characters; remove them or type the name again'],
  [hasStyledLetters, 'has letters in a special form, such as 𝐀 or Ａ; type them as plain letters'],
  [
    (name) => !hasOnlyNameCharacters(name),
    "must have only letters, digits, spaces, hyphens (-), apostrophes ('), dots (.) and middle dots (·); remove other signs",
  ],
  [(name) => !/[\p{Lu}\p{Ll}\p{Lt}\p{Lo}]/u.test(name), 'must have at least one letter'],
  [stacksMarks, 'has too many accents on one letter; remove some'],
  [
    (name) => !startsAndEnds.test(name) || /([-'’.·・])[-'’.·・]*\1/u.test(name),
    'has a sign in the wrong place; begin and end with a letter, and write each sign once',
  ],
  [(name) => linked.test(name), 'looks like a web address; write a space after the dot'],
  [
    mixesScripts,
    'has a word with letters of several scripts, such as Latin and Cyrillic; write each word in one script',
  ],
  [
    (name) => /\p{scx=Latn}/u.test(name) && name.split(' ').some(imitatesLatin),
    'has a word that looks like Latin letters and is not; type it in Latin letters',
  ],
  [
    (name) => (name.match(/\p{Nd}/gu) ?? []).length > fullNameDigitsMax,
    `must have at most ${fullNameDigitsMax} digits; remove some`,
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
  .max(1000, { error: `must have at most ${fullNameMax} characters; shorten it`, abort: true })
  .transform(tidyName)
  .superRefine((name, context) => {
    const fault = fullNameFaults.find(([hasFault]) => hasFault(name))
    if (fault !== undefined) context.addIssue({ code: 'custom', message: fault[1] })
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
