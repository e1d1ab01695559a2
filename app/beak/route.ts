import { z } from 'zod'
import { endpoint } from '@/lib/http/endpoint'
import { instant } from '@/lib/kernel/request/fields'
import { version } from '@/lib/kernel/service/version'

export const GET = endpoint({
  operationId: 'getService',
  summary: 'Name, version and time',
  description: 'Uses no database, so its response time is the round-trip time of the network.',
  remarks: [
    '`GET /beak/` answers the same. Tools refuse paths that end in a slash, so this document has only the other one.',
  ],
  auth: 'none',
  limit: 'anonymous',
  withoutDatabase: true,
  response: z.object({ name: z.literal('Beak'), version: z.string(), timestamp: instant }),
  handle: ({ now }) => ({ name: 'Beak' as const, version, timestamp: now }),
})
