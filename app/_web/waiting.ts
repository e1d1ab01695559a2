import { findOverview } from './viewer'

const maxCount = 9

/** Returns how many requests wait for the viewer: "3", "9+" for more than nine, or an empty text for none. Throws `PageProblem`. */
export async function countWaiting(): Promise<string> {
  const count = (await findOverview())?.pending_pecks ?? 0
  if (count === 0) return ''
  return count > maxCount ? `${maxCount}+` : String(count)
}
