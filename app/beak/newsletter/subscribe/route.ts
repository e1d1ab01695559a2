import { z } from 'zod'
import { Done, partnerType, subscribe } from '@/lib/domain/newsletter/subscriptions'
import { endpoint } from '@/lib/http/endpoint'
import { email } from '@/lib/kernel/typed/email'

export const POST = endpoint({
  operationId: 'subscribe',
  summary: 'Subscribe to the newsletter or a partner list',
  description:
    'Mails a link to confirm the subscription. The answer is the same for known and unknown addresses.',
  remarks: ['An address gets at most one mail an hour.'],
  auth: 'none',
  limit: 'newsletter',
  idempotencyKey: true,
  body: z.strictObject({ email, partner_type: partnerType.optional() }),
  response: Done,
  handle: (context, { body }) => subscribe(context, body.email, body.partner_type),
})
