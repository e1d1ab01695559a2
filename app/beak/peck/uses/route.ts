import { PeckUse } from '@/lib/domain/pecks/display/schema'
import { listUses, UsesQuery } from '@/lib/domain/pecks/lists/details'
import { endpoint } from '@/lib/http/endpoint'
import { listOf, pageRequest } from '@/lib/kernel/request/page'

// What the page "What your agents may do now" shows beside each permission.
export const GET = endpoint({
  operationId: 'listUses',
  summary: 'List what a permission was used for',
  description:
    'When a permission was used and for which service, newest first. The newest 100 uses of each permission are kept. For both sides of the peck.',
  remarks: [
    'A profile that a permission showed has the host of this service as `audience`. No use is kept from before 0.3.0.',
  ],
  auth: 'session-or-agent',
  capability: 'read:peck',
  limit: 'authenticated',
  query: UsesQuery,
  response: listOf(PeckUse),
  failures: ['peck_not_found'],
  handle: (context, { query }) => listUses(context, pageRequest(query), query.peck_id),
})
