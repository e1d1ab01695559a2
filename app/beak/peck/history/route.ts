import { z } from 'zod'
import { endpoint } from '@/lib/http/endpoint'
import { listOf, pageQuery, pageRequest } from '@/lib/kernel/page'
import { listPecks } from '@/lib/pecks/history'
import { Peck, peckStatus } from '@/lib/pecks/schema'

export const GET = endpoint({
  summary: 'List the pecks you sent and received',
  description: 'A person also sees those their agents sent; an agent only those it sent itself.',
  auth: 'session-or-agent',
  capability: 'read:peck',
  limit: 'authenticated',
  query: z.strictObject({
    ...pageQuery(),
    status: peckStatus.optional(),
    direction: z.enum(['sent', 'received']).optional(),
  }),
  response: listOf(Peck),
  handle: (context, { query }) =>
    listPecks(context, { ...pageRequest(query), status: query.status, direction: query.direction }),
})
