/** Reads decimal numbers as people write them. */
import { asciiDigits, asciiWidth, trimmed } from './digits'

const grouped = /^\d{1,3}(?:[ '’\u00a0\u2009\u202f]\d{3})+(?=$|[.,])/
const withComma = /^(\d+),(\d{1,2})$/

/**
 * Returns a number with a point before its decimals: "12,50", "1 250,5" and "١٢٫٥" are "12.50", "1250.5" and "12.5". Returns a text with two
 * readings as it is: "1,250" can be 1250 or 1.25.
 */
export function readDecimal(text: string): string {
  return asciiDigits(asciiWidth(trimmed(text)))
    .replace(/(?<=^[^\u066b]*)\u066b(?=[^\u066b]*$)/, '.')
    .replace(grouped, (whole) => whole.replace(/\D/g, ''))
    .replace(withComma, '$1.$2')
}
