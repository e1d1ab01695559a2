import { z } from 'zod'
import { endpoint } from '@/lib/http/endpoint'
import { cancelPeck } from '@/lib/pecks/cancel'
import { Peck, peckId } from '@/lib/pecks/schema'

export const POST = endpoint({
  summary: 'Take back a request of yours, or of one of your agents',
  auth: 'session',
  limit: 'authenticated',
  body: z.strictObject({ peck_id: peckId }),
  response: Peck,
  failures: ['peck_missing', 'not_the_asker', 'peck_not_pending'],
  attempt: 'peck.cancelled',
  handle: (context, { body }) => cancelPeck(context, body.peck_id),
})
