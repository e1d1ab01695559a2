/** Letters that are written from right to left. */
const rightToLeft =
  /[\p{sc=Arab}\p{sc=Hebr}\p{sc=Syrc}\p{sc=Thaa}\p{sc=Nkoo}\p{sc=Adlm}\p{sc=Rohg}\p{sc=Mand}]/u

/**
 * Returns a name for a sentence in plain text. A name in a script that is written from right to left stands between isolates (Unicode
 * UAX 9), so that it does not reorder the words beside it.
 */
export function isolated(name: string): string {
  return rightToLeft.test(name) ? `\u2068${name}\u2069` : name
}
