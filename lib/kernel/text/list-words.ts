/** Lists of words in a sentence. Outside a page or a mail, in English. */
import { currentLanguage } from './language'

/** British English, which puts no comma before the last word: `a, b and c`. */
const localeOf = (language: string) => (language === 'en' ? 'en-GB' : language)

const formats = new Map<string, Intl.ListFormat>()

function format(type: 'conjunction' | 'disjunction', words: Iterable<string>): string {
  const language = currentLanguage()
  const key = `${type} ${language}`
  const made = formats.get(key) ?? new Intl.ListFormat(localeOf(language), { type })
  formats.set(key, made)
  return made.format(words)
}

/** Returns `a`, `a and b`, `a, b and c`. */
export function listWithAnd(words: Iterable<string>): string {
  return format('conjunction', words)
}

/** Returns `a`, `a or b`, `a, b or c`. */
export function listWithOr(words: Iterable<string>): string {
  return format('disjunction', words)
}
