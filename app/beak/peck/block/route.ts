import { z } from 'zod'
import { blockDuckling } from '@/lib/domain/pecks/blocks/block'
import { BlockAnswer } from '@/lib/domain/pecks/blocks/schema'
import { endpoint } from '@/lib/http/endpoint'
import { idSchema } from '@/lib/kernel/ids'

export const POST = endpoint({
  operationId: 'blockDuckling',
  summary: 'Block a duckling',
  description:
    'You no longer receive pecks of the duckling and its agents, and those that wait for you disappear. They are not told: their pecks seem to stay pending until they expire. `hidden_pecks` is the number of pecks that disappeared. Unblocking brings them back as long as they are pending. Permissions that you gave stay active.',
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: z.strictObject({ duckling_id: idSchema('duckling') }),
  response: BlockAnswer,
  failures: ['duckling_missing'],
  attempt: 'peck.blocked',
  handle: (context, { body }) => blockDuckling(context, body.duckling_id),
})
