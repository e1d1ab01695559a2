import { z } from 'zod'
import { Done, partnerType } from '@/lib/domain/platform/schema'
import { subscribe } from '@/lib/domain/platform/subscribe'
import { endpoint } from '@/lib/http/endpoint'
import { email } from '@/lib/kernel/fields'

export const POST = endpoint({
  operationId: 'subscribe',
  summary: 'Subscribe to the newsletter or a partner list',
  description:
    'Mails a link to confirm the subscription. The answer is the same for known and unknown addresses.',
  auth: 'none',
  limit: 'newsletter',
  body: z.strictObject({ email, partner_type: partnerType.optional() }),
  response: Done,
  handle: async (context, { body }) => {
    await subscribe(context, body.email, body.partner_type)
    return {
      success: true as const,
      message: 'We have sent a message to this address: follow its link to subscribe.',
    }
  },
})
