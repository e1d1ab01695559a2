/** British English, which puts no comma before the last word: `a, b and c`. */
const and = new Intl.ListFormat('en-GB', { type: 'conjunction' })
const or = new Intl.ListFormat('en-GB', { type: 'disjunction' })

/** Returns `a`, `a and b`, `a, b and c`. */
export function listWithAnd(words: Iterable<string>): string {
  return and.format(words)
}

/** Returns `a`, `a or b`, `a, b or c`. */
export function listWithOr(words: Iterable<string>): string {
  return or.format(words)
}
