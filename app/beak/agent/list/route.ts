import { z } from 'zod'
import { listAgents } from '@/lib/domain/agents/read'
import { Agent } from '@/lib/domain/agents/schema'
import { endpoint } from '@/lib/http/endpoint'
import { text } from '@/lib/kernel/request/fields'
import { listOf, pageQuery, pageRequest } from '@/lib/kernel/request/page'

export const GET = endpoint({
  operationId: 'listAgents',
  summary: 'List your agents',
  description:
    'Newest first. `include=deregistered` also lists deregistered agents. `q` lists only agents whose name, id, type or capabilities contain that text, in upper or lower case. `key.retired_key_uses` counts the uses of retired or expired keys of the agent. A number above zero means that somebody still has such a key.',
  remarks: ['`q` has 1 to 64 characters, and accents make no difference.'],
  auth: 'session',
  limit: 'authenticated',
  query: z.strictObject({
    ...pageQuery(),
    include: z.enum(['deregistered']).optional(),
    q: text(1, 64).optional().meta({ description: 'Part of a name, an id, a type or a capability.' }),
  }),
  response: listOf(Agent),
  handle: (context, { query }) =>
    listAgents(context, pageRequest(query), {
      withDeregistered: query.include === 'deregistered',
      text: query.q ?? null,
    }),
})
