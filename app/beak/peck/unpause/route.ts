import { z } from 'zod'
import { LiftedPause, liftPause } from '@/lib/domain/pecks/request/request-facts'
import { proofFailures } from '@/lib/domain/sessions/proof'
import { endpoint } from '@/lib/http/endpoint'
import { ducklingRef } from '@/lib/kernel/request/handle'

export const POST = endpoint({
  operationId: 'liftPause',
  summary: 'Let a duckling ask again',
  description:
    'Ends the pause that your rejections caused for a duckling and its agents, also for your own agents with your own id. The rejections stay. A later rejection pauses again.',
  remarks: [
    'It is an event when there was a pause. When another session rejected, it needs a recent proof of you.',
  ],
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: z.strictObject({ duckling_id: ducklingRef }),
  response: LiftedPause,
  failures: ['duckling_not_found', ...proofFailures],
  attempt: 'peck.unpaused',
  handle: (context, { body }) => liftPause(context, body.duckling_id),
})
