import { z } from 'zod'
import { blockDuckling } from '@/lib/domain/pecks/blocks/block'
import { BlockAnswer } from '@/lib/domain/pecks/blocks/schema'
import { endpoint } from '@/lib/http/endpoint'
import { ducklingRef } from '@/lib/kernel/request/handle'

export const POST = endpoint({
  operationId: 'blockDuckling',
  summary: 'Block a duckling',
  description:
    'You no longer receive pecks from the duckling and its agents, and their waiting pecks are hidden from you. The duckling is not notified: its pecks look pending until they expire. `hidden_pecks` is the number of hidden pecks. Unblocking brings back the hidden pecks that are still pending. Permissions that you gave stay active.',
  remarks: [
    'A block also hides all that they send later. Rules about that duckling and its agents end, and so do unused permissions of these rules.',
  ],
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: z.strictObject({ duckling_id: ducklingRef }),
  response: BlockAnswer,
  failures: ['duckling_not_found'],
  attempt: 'peck.blocked',
  handle: (context, { body }) => blockDuckling(context, body.duckling_id),
})
