import { z } from 'zod'
import { endpoint } from '@/lib/http/endpoint'

export const GET = endpoint({
  operationId: 'getHealth',
  summary: 'Liveness probe',
  auth: 'none',
  // Load balancers may probe without a limit.
  limit: null,
  withoutDatabase: true,
  response: z.object({ status: z.literal('ok') }),
  handle: () => ({ status: 'ok' as const }),
})
