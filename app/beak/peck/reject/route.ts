import { z } from 'zod'
import { rejectPeck } from '@/lib/domain/pecks/decide/reject'
import { Peck, peckId } from '@/lib/domain/pecks/schema'
import { endpoint } from '@/lib/http/endpoint'
import { reason } from '@/lib/kernel/fields'

export const POST = endpoint({
  operationId: 'rejectPeck',
  summary: 'Reject a peck',
  description: 'The asker can read the reason, and may not ask for the same action again for an hour.',
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: z.strictObject({ peck_id: peckId, reason }),
  response: Peck,
  failures: ['peck_missing', 'not_the_target', 'peck_not_pending'],
  attempt: 'peck.rejected',
  handle: (context, { body }) => rejectPeck(context, body.peck_id, body.reason),
})
