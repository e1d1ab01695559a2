import { z } from 'zod'
import { checkReadiness } from '@/lib/domain/platform/check-readiness'
import { endpoint } from '@/lib/http/endpoint'

export const GET = endpoint({
  summary: 'Can it do its work?',
  description: 'The database answers and has every migration; else 503.',
  auth: 'none',
  // Spec silent: a balancer probes as often as it likes.
  limit: null,
  withoutDatabase: true,
  response: z.object({ status: z.literal('ready') }),
  handle: async (context) => {
    await checkReadiness(context)
    return { status: 'ready' as const }
  },
})
