import { z } from 'zod'
import { blockDuckling } from '@/lib/domain/pecks/blocks/block'
import { BlockAnswer } from '@/lib/domain/pecks/schema'
import { endpoint } from '@/lib/http/endpoint'
import { idSchema } from '@/lib/kernel/ids'

export const POST = endpoint({
  operationId: 'blockDuckling',
  summary: 'Block a duckling',
  description:
    'You no longer receive pecks of the duckling and its agents. They are not told: their pecks seem to stay pending until they expire. Pecks that are already pending stay visible to you.',
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: z.strictObject({ duckling_id: idSchema('duckling') }),
  response: BlockAnswer,
  failures: ['duckling_missing'],
  attempt: 'peck.blocked',
  handle: (context, { body }) => blockDuckling(context, body.duckling_id),
})
