import { z } from 'zod'
import { listAgents } from '@/lib/domain/agents/list'
import { Agent } from '@/lib/domain/agents/schema'
import { endpoint } from '@/lib/http/endpoint'
import { listOf, pageQuery, pageRequest } from '@/lib/kernel/page'

export const GET = endpoint({
  summary: 'List your agents',
  description:
    'Newest first. `include=deregistered` lists those too that you have deregistered. `key.retired_key_uses` counts tries with keys of the agent that were dead by then: somebody still has one.',
  auth: 'session',
  limit: 'authenticated',
  query: z.strictObject({ ...pageQuery(), include: z.enum(['deregistered']).optional() }),
  response: listOf(Agent),
  handle: (context, { query }) =>
    listAgents(context, pageRequest(query), { withDeregistered: query.include === 'deregistered' }),
})
