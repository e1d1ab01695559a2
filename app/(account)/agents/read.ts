import { cache } from 'react'
import { api } from '@/app/_web/api'
import { PageProblem } from '@/app/_web/page-problem'

export type Agent = Awaited<ReturnType<typeof readAgents>>['items'][number]

interface Wanted {
  cursor?: string
  limit?: string
  withDeregistered?: boolean
}

/** A page of the viewer's agents. */
export async function readAgents({ cursor, limit = '100', withDeregistered = false }: Wanted = {}) {
  const result = await api('GET /beak/agent/list', {
    query: {
      limit,
      ...(cursor === undefined ? {} : { cursor }),
      ...(withDeregistered ? { include: 'deregistered' as const } : {}),
    },
  })
  if (!result.ok) throw new PageProblem(result.problem)
  return result.data
}

/** One of the viewer's agents, or null. The live ones fit on one page; the others are looked for only after them. */
export const findAgent = cache(async (id: string): Promise<Agent | null> => {
  const live = (await readAgents()).items.find(({ agent_id }) => agent_id === id)
  if (live) return live
  for (let cursor: string | undefined; ; ) {
    const page = await readAgents({ withDeregistered: true, ...(cursor === undefined ? {} : { cursor }) })
    const found = page.items.find(({ agent_id }) => agent_id === id)
    if (found) return found
    if (page.next_cursor === null) return null
    cursor = page.next_cursor
  }
})
