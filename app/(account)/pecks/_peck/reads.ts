/** Reads pecks with their details, through the API. */
import { read } from '@/app/_web/read'
import type { QueryOf, ResponseOf } from '@/app/beak/_api/lines'

export type Peck = ResponseOf<'GET /beak/peck/status'>
export type PeckDetails = ResponseOf<'GET /beak/peck/details'>['items'][number]
export type DisplayValue = PeckDetails['display']['values'][number]

export interface PeckWithDetails {
  peck: Peck
  details: PeckDetails
}

export interface PeckPage {
  items: PeckWithDetails[]
  next: string | null
}

type HistoryQuery = QueryOf<'GET /beak/peck/history'>

/** Returns a page of pecks with their details. Throws `PageProblem`, with status 400 when the cursor was changed. */
export async function readPecks(query: HistoryQuery): Promise<PeckPage> {
  const { items, next_cursor: next } = await read('GET /beak/peck/history', { query })
  return { items: await withDetails(items), next }
}

/** Adds the details of pecks that the viewer may see. Throws `PageProblem`. */
export async function withDetails(pecks: Peck[]): Promise<PeckWithDetails[]> {
  if (pecks.length === 0) return []
  const { items } = await read('GET /beak/peck/details', {
    query: { peck_ids: pecks.map(({ peck_id }) => peck_id).join(',') },
  })
  const found = new Map(items.map((details) => [details.peck_id, details]))
  return pecks.flatMap((peck) => {
    const details = found.get(peck.peck_id)
    return details ? [{ peck, details }] : []
  })
}
