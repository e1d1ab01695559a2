import { z } from 'zod'
import { endpoint } from '@/lib/http/endpoint'
import { contactSupport } from '@/lib/platform/contact-support'
import { SupportRequest } from '@/lib/platform/schema'

export const POST = endpoint({
  summary: 'Write to support',
  description: 'The answer comes by mail. A receipt is mailed at most once an hour.',
  auth: 'none',
  limit: 'support',
  body: SupportRequest,
  response: z.object({ success: z.literal(true), ticket_id: z.string() }),
  handle: async (context, { body }) => ({
    success: true as const,
    ticket_id: await contactSupport(context, body),
  }),
})
