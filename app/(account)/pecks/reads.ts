/** What the pages about pecks read: pecks through the API, and what stands around them. */
import { cache } from 'react'
import type { z } from 'zod'
import { api } from '@/app/_web/api'
import { PageProblem } from '@/app/_web/page-problem'
import { requireViewer, type Viewer } from '@/app/_web/viewer'
import type { QueryOf } from '@/app/beak/_api/lines'
import { type PeckDetails, readDetails } from '@/lib/domain/pecks/follow/details'
import type { Peck as PeckSchema } from '@/lib/domain/pecks/schema'

export type Peck = z.output<typeof PeckSchema>

export interface PeckWithParticulars {
  peck: Peck
  particulars: PeckDetails
}

export interface PeckPage {
  items: PeckWithParticulars[]
  next: string | null
}

type HistoryQuery = QueryOf<'GET /beak/peck/history'>

/** Returns a page of pecks with their particulars. Throws `PageProblem`, with status 400 for a cursor that was changed. */
export async function readPecks(viewer: Viewer, query: HistoryQuery): Promise<PeckPage> {
  const result = await api('GET /beak/peck/history', { query })
  if (!result.ok) throw new PageProblem(result.problem)
  const { items, next_cursor: next } = result.data
  return { items: await withParticulars(viewer, items), next }
}

/** Pecks that the viewer may see, with what the wire form leaves out. */
export async function withParticulars(viewer: Viewer, pecks: Peck[]): Promise<PeckWithParticulars[]> {
  if (pecks.length === 0) return []
  const found = await readDetails(
    viewer.duckling_id,
    pecks.map(({ peck_id }) => peck_id),
  )
  return pecks.flatMap((peck) => {
    const particulars = found.get(peck.peck_id)
    return particulars ? [{ peck, particulars }] : []
  })
}

/** What waits for the viewer's answer; read once a request for the page and its title. */
export const readWaiting = cache(async (cursor: string, limit: number): Promise<PeckPage> => {
  const viewer = await requireViewer('/pecks')
  return readPecks(viewer, { status: 'pending', direction: 'received', cursor, limit: String(limit) })
})
