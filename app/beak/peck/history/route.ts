import { HistoryQuery, listPecks } from '@/lib/domain/pecks/lists/history'
import { Peck } from '@/lib/domain/pecks/schema'
import { endpoint } from '@/lib/http/endpoint'
import { listOf, pageRequest } from '@/lib/kernel/request/page'

export const GET = endpoint({
  operationId: 'listPecks',
  summary: 'List the pecks you sent and received',
  description:
    'A person also sees the pecks of their agents. An agent sees only the pecks that it sent. `status=over` lists all that are not pending, `grant_status=active` the active permissions. `direction=sent_to_others` leaves out what your own agents asked of you. `asker` is the id of the agent, or of the person, that asked. `peck_ids` selects up to 100 pecks.',
  auth: 'session-or-agent',
  capability: 'read:peck',
  limit: 'authenticated',
  cost: ({ query }) => query.limit / 25,
  query: HistoryQuery,
  response: listOf(Peck),
  handle: (context, { query }) => listPecks(context, pageRequest(query), query),
})
