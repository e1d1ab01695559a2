import { z } from 'zod'
import { contactSupport } from '@/lib/domain/support/contact-support'
import { SupportRequest } from '@/lib/domain/support/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'contactSupport',
  summary: 'Contact support',
  description: 'Support answers by mail. An address gets at most one receipt per hour.',
  auth: 'none',
  limit: 'support',
  idempotencyKey: true,
  body: SupportRequest,
  response: z.object({ success: z.literal(true), ticket_id: z.string() }),
  handle: (context, { body }) => contactSupport(context, body),
})
