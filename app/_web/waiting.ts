import { cache } from 'react'
import { api } from './api'

const most = 9

/** How many pecks wait for the viewer, as "3" or "9+": never more than ten rows are read for it. Empty for none. */
export const countWaiting = cache(async (): Promise<string> => {
  const result = await api('GET /beak/peck/history', {
    query: { status: 'pending', direction: 'received', limit: String(most + 1) },
  })
  // The page around it says what is wrong; a number does not matter then.
  if (!result.ok || result.data.items.length === 0) return ''
  const { length } = result.data.items
  return length > most ? `${most}+` : String(length)
})
