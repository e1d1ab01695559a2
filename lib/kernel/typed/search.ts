/** Reads words that people search for. */
import { withoutAccents } from '@beak/decision/accents'
import { asciiDigits } from './digits'

/**
 * Returns a text in which one word is the same with and without accents, capitals, full-width letters and digits of another script. Only for
 * searching: both the words and the text that is searched.
 */
export const searchForm = (text: string): string =>
  asciiDigits(withoutAccents(text.toLowerCase())).toLowerCase()
