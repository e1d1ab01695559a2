import { z } from 'zod'
import { contactSupport, SupportRequest } from '@/lib/domain/support/contact-support'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'contactSupport',
  summary: 'Contact support',
  description: 'Support answers by mail. An address gets at most one receipt per hour.',
  remarks: ['The message goes to the operator of the service. The receipt does not have its text.'],
  auth: 'none',
  limit: 'support',
  idempotencyKey: true,
  body: SupportRequest,
  response: z.object({ success: z.literal(true), ticket_id: z.string() }),
  handle: (context, { body }) => contactSupport(context, body),
})
