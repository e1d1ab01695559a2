/** Guesses which known name an unknown one stands for. */

const farthestEdits = 2
/** No name of ours is longer. Others may be as long as a whole request. */
const longestName = 64
/** Shorter ones are contained in too much. */
const shortestContained = 3

/** Returns the known name that an unknown one contains or nearly is, such as `key` for `apiKey`, or null. */
export function guessName(unknown: string, known: readonly string[]): string | null {
  if (unknown.length > longestName) return null
  const given = plain(unknown)
  const contained = known.filter((name) => name.length >= shortestContained && given.includes(plain(name)))
  const [longest] = contained.sort((a, b) => b.length - a.length)
  if (longest !== undefined) return longest
  const near = known.map((name) => ({ name, edits: editsBetween(given, plain(name)) }))
  const [nearest] = near.sort((a, b) => a.edits - b.edits)
  // More edits than half of a short name would make any name of any other.
  const isNear =
    nearest !== undefined && nearest.edits <= Math.min(farthestEdits, (nearest.name.length - 1) / 2)
  return isNear ? nearest.name : null
}

/** Returns a question with the guess, to end a sentence with: " Did you mean key?", or an empty text. */
export function didYouMean(unknown: string, known: readonly string[]): string {
  const guess = guessName(unknown, known)
  return guess === null ? '' : ` Did you mean ${guess}?`
}

const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/** Returns how many letters to insert, remove or replace to make one text of the other. */
export function editsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next.push(
        Math.min(
          (row[j] ?? 0) + 1,
          (next[j - 1] ?? 0) + 1,
          (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1),
        ),
      )
    row = next
  }
  return row[b.length] ?? 0
}
