/**
 * Shows a sentence that the service has stored or signed in English in the language of the page: finds the sentence of the table that it was
 * made from, reads its values, and writes it again. The stored text stays as it is. On the server only.
 */
import { currentLanguage, inEnglish } from '../language'
import { languages } from '../messages/generated/languages.js'

/** A sentence of the table. `values`: how each of its values is shown in another language. */
export interface Form {
  of: (values: never) => string
  values?: Record<string, (text: string) => string>
}

/** Writes a value as it stands. */
export const asItIs = (text: string): string => text

const mark = (name: string) => `\u0001${name}\u0001`
const patterns = new WeakMap<Form, RegExp>()

/** Returns the pattern that the English sentence has, with a group for each value. */
function patternOf(form: Form): RegExp {
  const known = patterns.get(form)
  if (known !== undefined) return known
  const marks = Object.fromEntries(Object.keys(form.values ?? {}).map((name) => [name, mark(name)]))
  const english = inEnglish(() => form.of(marks as never))
  const source = english
    .split('\u0001')
    .map((part, index) =>
      index % 2 === 1 ? `(?<${part}>.+)` : part.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`),
    )
    .join('')
  const pattern = new RegExp(`^${source}$`, 'su')
  patterns.set(form, pattern)
  return pattern
}

/** Writes a text again from the first form that it has. Returns the text when it has none of them. */
export function rewrite(text: string, forms: Form[]): string {
  for (const form of forms) {
    const found = patternOf(form).exec(text)
    if (found === null) continue
    const values = Object.entries(form.values ?? {}).map(([name, show]) => [
      name,
      show(found.groups?.[name] ?? ''),
    ])
    return form.of(Object.fromEntries(values) as never)
  }
  return text
}

/** Whether texts of the service need no translation: the page is in English. */
export const isInEnglish = (): boolean => currentLanguage() === languages[0]
