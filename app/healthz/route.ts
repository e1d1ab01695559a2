import { z } from 'zod'
import { endpoint } from '@/lib/http/endpoint'

export const GET = endpoint({
  summary: 'Is the process up?',
  auth: 'none',
  // Spec silent: a balancer probes as often as it likes.
  limit: null,
  withoutDatabase: true,
  response: z.object({ status: z.literal('ok') }),
  handle: () => ({ status: 'ok' as const }),
})
