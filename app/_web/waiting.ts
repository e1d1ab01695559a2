import { cache } from 'react'
import { GET as history } from '@/app/beak/peck/history/route'
import { callApi } from './call-api'

const most = 9

/** How many pecks wait for the viewer, as "3" or "9+": never more than ten rows are read for it. Empty for none. */
export const countWaiting = cache(async (): Promise<string> => {
  const result = await callApi(history, 'GET', {
    query: { status: 'pending', direction: 'received', limit: String(most + 1) },
  })
  // The page around it says what is wrong; a number does not matter then.
  if (!result.ok || result.data.items.length === 0) return ''
  const { length } = result.data.items
  return length > most ? `${most}+` : String(length)
})
