/** Reads digits, blanks and dashes as keyboards of all languages write them. The pages use this file in the browser, too. */

const isDigit = /^\p{Nd}$/u
const otherDigits = /(?![0-9])\p{Nd}/gu

/** Returns the value of a decimal digit. Unicode has the ten digits of a script in one row, and some rows follow each other without a gap. */
function digitValue(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let start = code
  while (isDigit.test(String.fromCodePoint(start - 1))) start--
  return String((code - start) % 10)
}

/** Returns a text with the decimal digits of every script as 0 to 9: "٠١٢", "०१२" and "０１２" are "012". */
export const asciiDigits = (text: string): string => text.replace(otherDigits, digitValue)

/** Returns a text with the full-width forms of ASCII, which input methods of East Asia write, as ASCII: "ｘ＠" is "x@". */
export const asciiWidth = (text: string): string =>
  text.replace(/[\uff01-\uff5e]/g, (character) => String.fromCharCode(character.charCodeAt(0) - 0xfee0))

/** Blanks of every width, and characters without a width that other programs put around what people copy. */
const unseen = '\\s\\u00ad\\u061c\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2069\\ufeff'
const atEnds = new RegExp(`^[${unseen}]+|[${unseen}]+$`, 'g')
/** Also the minus sign, and the long mark that the minus key gives on a Japanese keyboard. */
const separators = new RegExp(`[${unseen}\\p{Pd}\\u2212\\u30fc\\uff70]`, 'gu')

/** Returns a text without blanks and unseen characters at both ends. */
export const trimmed = (text: string): string => text.replace(atEnds, '')

/** Returns a text without blanks, dashes and unseen characters. */
export const withoutSeparators = (text: string): string => text.replace(separators, '')

/** Returns a code without blanks and dashes, with the digits 0 to 9: "123 456" and "١٢٣-٤٥٦" are "123456". */
export const readCode = (text: string): string => asciiDigits(withoutSeparators(text))
