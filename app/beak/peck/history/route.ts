import { HistoryQuery, listPecks } from '@/lib/domain/pecks/lists/history'
import { Peck } from '@/lib/domain/pecks/schema'
import { endpoint } from '@/lib/http/endpoint'
import { listOf, pageRequest } from '@/lib/kernel/page'

export const GET = endpoint({
  operationId: 'listPecks',
  summary: 'List the pecks you sent and received',
  description:
    'A person also sees the pecks of their agents. An agent sees only the pecks that it sent. `grant_status=active` lists the active permissions. `asker` is the id of the agent, or of the person, that asked. `peck_ids` selects up to 100 pecks.',
  auth: 'session-or-agent',
  capability: 'read:peck',
  limit: 'authenticated',
  query: HistoryQuery,
  response: listOf(Peck),
  handle: (context, { query }) => listPecks(context, pageRequest(query), query),
})
