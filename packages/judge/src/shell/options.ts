/** Reads the options of a command. */

import { type Word, wordOf } from './words'

export interface Options {
  /** The names as they are written, such as `-f` and `--force`. Their values, or an empty word. */
  given: Map<string, Word>
  /** All words that are no option and no value of one. */
  rest: Word[]
  has(...names: string[]): boolean
}

/**
 * Reads options and other words.
 *
 * @param withValue options that take a value, separated by blanks: `-o --output`
 */
export function readOptions(args: readonly Word[], withValue = ''): Options {
  const taking = new Set(withValue.split(' '))
  const given = new Map<string, Word>()
  const rest: Word[] = []
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] as Word
    const { text } = word
    const next = () => {
      at += 1
      return args[at] ?? wordOf('')
    }
    if (text === '--') {
      rest.push(...args.slice(at + 1))
      break
    }
    if (!/^-./.test(text)) rest.push(word)
    else if (text.startsWith('--')) {
      const equals = text.indexOf('=')
      if (equals > 0) given.set(text.slice(0, equals), { ...word, text: text.slice(equals + 1) })
      else given.set(text, taking.has(text) ? next() : wordOf(''))
    } else if (taking.has(text)) given.set(text, next())
    else readShort(word, taking, given, next)
  }
  return { given, rest, has: (...names) => names.some((name) => given.has(name)) }
}

/** Reads short options that stand together: `-rf`, `-n5`, `-ofile`. */
function readShort(word: Word, taking: Set<string>, given: Map<string, Word>, next: () => Word): void {
  const { text } = word
  // Some programs have long options with one dash: `-delete`.
  given.set(text, wordOf(''))
  for (let at = 1; at < text.length; at += 1) {
    const name = `-${text.charAt(at)}`
    if (taking.has(name)) {
      const value = text.slice(at + 1)
      given.set(name, value === '' ? next() : { ...word, text: value })
      return
    }
    given.set(name, wordOf(''))
  }
}
