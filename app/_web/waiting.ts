import { findOverview } from './viewer'

/** The API counts no further. */
const maxCount = 1000

/** Returns a number of waiting requests as text: "66", or "1,000+" for a thousand and more. */
export function countWords(count: number): string {
  return count >= maxCount ? '1,000+' : String(count)
}

/** Returns how many requests wait for the viewer: "66", "1,000+", or an empty text for none. Throws `PageProblem`. */
export async function countWaiting(): Promise<string> {
  const count = (await findOverview())?.pending_pecks ?? 0
  return count === 0 ? '' : countWords(count)
}
