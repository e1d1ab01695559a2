/** Names that the recipes derive from each other. */
import { RecipeFault } from './edit'

/** Returns the words of a name in camel case: `['annotate', 'birth-cert']` is `annotateBirthCert`. */
export function camel(words: string[]): string {
  const [first = '', ...others] = words.flatMap((word) => word.split(/[-_]/))
  return first + others.map(capital).join('')
}

export const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

/** Returns the past of a regular verb, and of one syllable with a doubled last letter: `annotated`, `verified`, `dropped`. */
export function past(verb: string): string {
  if (verb.endsWith('e')) return `${verb}d`
  if (/[^aeiou]y$/.test(verb)) return `${verb.slice(0, -1)}ied`
  if (/^[^aeiou]+[aeiou][^aeiouwxy]$/.test(verb)) return `${verb}${verb.at(-1)}ed`
  return `${verb}ed`
}

/** Checks a name against a pattern. `what` says what the name is of, and shows an example. */
export function checked(name: string | undefined, pattern: RegExp, what: string): string {
  if (name === undefined || !pattern.test(name)) throw new RecipeFault(`Name ${what}.`)
  return name
}
