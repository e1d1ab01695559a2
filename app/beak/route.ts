import { z } from 'zod'
import { version } from '@/lib/domain/platform/version'
import { endpoint } from '@/lib/http/endpoint'
import { instant } from '@/lib/kernel/fields'

export const GET = endpoint({
  summary: 'Name, version and time',
  description: 'Touches nothing behind it, so that its time is the time of the way here.',
  auth: 'none',
  limit: 'anonymous',
  withoutDatabase: true,
  response: z.object({ name: z.literal('Beak'), version: z.string(), timestamp: instant }),
  handle: ({ now }) => ({ name: 'Beak' as const, version, timestamp: now }),
})
