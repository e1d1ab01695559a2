import { z } from 'zod'
import { endpoint } from '@/lib/http/endpoint'
import { instant } from '@/lib/kernel/fields'
import { version } from '@/lib/kernel/version'

export const GET = endpoint({
  operationId: 'getService',
  summary: 'Name, version and time',
  description: 'Uses no database, so its response time is the round-trip time of the network.',
  auth: 'none',
  limit: 'anonymous',
  withoutDatabase: true,
  response: z.object({ name: z.literal('Beak'), version: z.string(), timestamp: instant }),
  handle: ({ now }) => ({ name: 'Beak' as const, version, timestamp: now }),
})
