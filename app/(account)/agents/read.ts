import { cache } from 'react'
import { read } from '@/app/_web/page-read'
import type { ResponseOf } from '@/app/beak/_api/lines'

type AgentPage = ResponseOf<'GET /beak/agent/list'>
export type Agent = AgentPage['items'][number]

interface Wanted {
  cursor?: string
  limit?: string
  withDeregistered?: boolean
  /** Only agents with this text in their name, id, type or capabilities. */
  text?: string
}

/** Returns one page of the viewer's agents. */
export function readAgents({
  cursor = '',
  limit = '100',
  withDeregistered = false,
  text = '',
}: Wanted = {}): Promise<AgentPage> {
  return read('GET /beak/agent/list', {
    query: {
      limit,
      ...(cursor === '' ? {} : { cursor }),
      ...(withDeregistered ? { include: 'deregistered' as const } : {}),
      ...(text === '' ? {} : { q: text }),
    },
  })
}

/** Returns one of the viewer's agents, or null. All live agents fit on one page, so that page is read first. */
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

/** Whether a program acts as the agent now. */
export const isConnected = ({ connection }: Pick<Agent, 'connection'>, now: Date): boolean =>
  connection !== null && connection.ended_at === null && new Date(connection.expires_at) > now
