import { cache } from 'react'
import { api } from '@/app/_web/api'
import { isMalformed, isMissing, type Problem } from '@/app/_web/problem'
import type { ResponseOf } from '@/app/beak/_api/lines'

export type Agent = ResponseOf<'GET /beak/agent/verify'>

type AgentCheck =
  | { state: 'found'; agent: Agent }
  | { state: 'unknown' }
  | { state: 'unchecked'; problem: Problem }

/** Reads what the API tells everyone about an agent, once per page request. */
export const checkAgent = cache(async (id: string): Promise<AgentCheck> => {
  const result = await api('GET /beak/agent/verify', { query: { agent_id: id } })
  if (result.ok) return { state: 'found', agent: result.data }
  const { problem } = result
  return isMissing(problem) || isMalformed(problem) ? { state: 'unknown' } : { state: 'unchecked', problem }
})
