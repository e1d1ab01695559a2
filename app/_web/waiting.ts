import { cache } from 'react'
import { api } from './api'
import { PageProblem } from './page-problem'

const maxCount = 9

/** One more than is counted, which shows that there are more. */
const askWaiting = cache(() =>
  api('GET /beak/peck/history', {
    query: { status: 'pending', direction: 'received', limit: String(maxCount + 1) },
  }),
)

/** Returns the newest pending requests to the viewer, at most ten. Throws `PageProblem`. */
export async function readWaiting() {
  const result = await askWaiting()
  if (!result.ok) throw new PageProblem(result.problem)
  return result.data.items
}

/** Returns how many requests wait for the viewer: "3", "9+" for more than nine, or an empty text for none. */
export async function countWaiting(): Promise<string> {
  const result = await askWaiting()
  // The page itself shows the problem. The number does not matter then.
  if (!result.ok || result.data.items.length === 0) return ''
  const { length } = result.data.items
  return length > maxCount ? `${maxCount}+` : String(length)
}
