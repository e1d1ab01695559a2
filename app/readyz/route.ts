import { z } from 'zod'
import { checkReadiness } from '@/lib/domain/status/check-readiness'
import { endpoint } from '@/lib/http/endpoint'

export const GET = endpoint({
  operationId: 'getReadiness',
  summary: 'Readiness probe',
  description: 'Answers 200 when the database answers and has every migration, otherwise 503.',
  auth: 'none',
  // Load balancers may probe without a limit (contract G).
  limit: null,
  withoutDatabase: true,
  response: z.object({ status: z.literal('ready') }),
  handle: async (context) => {
    await checkReadiness(context)
    return { status: 'ready' as const }
  },
})
