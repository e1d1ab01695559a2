import { cache } from 'react'
import { api } from './api'

const maxCount = 9

/** Returns how many pecks wait for the viewer, as "3" or "9+", or an empty text for none. Reads at most ten rows. */
export const countWaiting = cache(async (): Promise<string> => {
  const result = await api('GET /beak/peck/history', {
    query: { status: 'pending', direction: 'received', limit: String(maxCount + 1) },
  })
  // The page shows the refusal. The number is not needed then.
  if (!result.ok || result.data.items.length === 0) return ''
  const { length } = result.data.items
  return length > maxCount ? `${maxCount}+` : String(length)
})
