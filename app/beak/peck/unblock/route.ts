import { z } from 'zod'
import { unblockDuckling } from '@/lib/domain/pecks/blocks/block'
import { BlockAnswer } from '@/lib/domain/pecks/blocks/schema'
import { proofFailures } from '@/lib/domain/sessions/proof'
import { endpoint } from '@/lib/http/endpoint'
import { ducklingRef } from '@/lib/kernel/request/handle'

export const POST = endpoint({
  operationId: 'unblockDuckling',
  summary: 'Unblock a duckling',
  description:
    'The pecks that the block hid wait for you again, unless they have expired or were cancelled. `restored_pecks` is their number. A peck that the duckling sent while it was blocked stays hidden until the duckling sends it again.',
  remarks: ['Ending a block that another session made needs a recent proof of you.'],
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: z.strictObject({ duckling_id: ducklingRef }),
  response: BlockAnswer,
  failures: ['duckling_not_blocked', ...proofFailures],
  attempt: 'peck.unblocked',
  handle: (context, { body }) => unblockDuckling(context, body.duckling_id),
})
