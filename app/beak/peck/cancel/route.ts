import { z } from 'zod'
import { cancelPeck } from '@/lib/domain/pecks/decide/cancel'
import { Peck, peckId } from '@/lib/domain/pecks/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'cancelPeck',
  summary: 'Cancel a pending request of yours or of one of your agents',
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: z.strictObject({ peck_id: peckId }),
  response: Peck,
  failures: ['peck_not_found', 'not_the_asker', 'peck_not_pending'],
  attempt: 'peck.cancelled',
  handle: (context, { body }) => cancelPeck(context, body.peck_id),
})
