/** Reads telephone numbers as people write them. */
import { asciiDigits, asciiWidth, withoutSeparators } from './digits'

/** The zero that callers in the country dial: "+49 (0)151 …". Only directly after the code of a country, where it is never a part of the number. */
const trunkZero = /^((?:tel:)?(?:\+|00)[1-9]\d{0,2})\(0\)/i

/**
 * Returns a number as E.164 writes it, when the text has the code of a country: "+49 151 23456789", "0049-151-23456789", "+49 (0)151…",
 * "tel:+49151…", and digits of every script. Whether the number exists is not checked.
 */
export function readPhone(text: string): string {
  return withoutSeparators(asciiDigits(asciiWidth(text)))
    .replace(trunkZero, '$1')
    .replace(/[()./]/g, '')
    .replace(/^(?:tel:)+/i, '')
    .replace(/^00/, '+')
}
