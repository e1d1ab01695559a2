import { z } from 'zod'
import { listPecks } from '@/lib/domain/pecks/follow/history'
import { grantStatus, Peck, peckStatus } from '@/lib/domain/pecks/schema'
import { endpoint } from '@/lib/http/endpoint'
import { listOf, pageQuery, pageRequest } from '@/lib/kernel/page'

export const GET = endpoint({
  operationId: 'listPecks',
  summary: 'List the pecks you sent and received',
  description:
    'A person also sees the pecks of their agents. An agent sees only the pecks that it sent. `grant_status=active` lists the active permissions.',
  auth: 'session-or-agent',
  capability: 'read:peck',
  limit: 'authenticated',
  query: z.strictObject({
    ...pageQuery(),
    status: peckStatus.optional(),
    // Spec silent: without this filter, a client must read all pecks to find the active permissions.
    grant_status: grantStatus.optional(),
    direction: z.enum(['sent', 'received']).optional(),
  }),
  response: listOf(Peck),
  handle: (context, { query }) =>
    listPecks(context, {
      ...pageRequest(query),
      status: query.status,
      grantStatus: query.grant_status,
      direction: query.direction,
    }),
})
