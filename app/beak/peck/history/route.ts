import { z } from 'zod'
import { listPecks } from '@/lib/domain/pecks/follow/history'
import { grantStatus, Peck, peckStatus } from '@/lib/domain/pecks/schema'
import { endpoint } from '@/lib/http/endpoint'
import { listOf, pageQuery, pageRequest } from '@/lib/kernel/page'

export const GET = endpoint({
  summary: 'List the pecks you sent and received',
  description:
    'A person also sees those their agents sent; an agent only those it sent itself. `grant_status=active` lists the permissions that still hold.',
  auth: 'session-or-agent',
  capability: 'read:peck',
  limit: 'authenticated',
  query: z.strictObject({
    ...pageQuery(),
    status: peckStatus.optional(),
    // Spec silent: without it, finding the permissions that still hold takes reading all there ever were.
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
