import { z } from 'zod'
import { blockDuckling } from '@/lib/domain/pecks/blocks/block'
import { BlockAnswer } from '@/lib/domain/pecks/schema'
import { endpoint } from '@/lib/http/endpoint'
import { idSchema } from '@/lib/kernel/ids'

export const POST = endpoint({
  summary: 'Let no more pecks of a duckling reach you',
  description:
    'It and its agents are not told: to them, their pecks stay pending until they expire. Pecks already waiting stay.',
  auth: 'session',
  limit: 'authenticated',
  body: z.strictObject({ duckling_id: idSchema('duckling') }),
  response: BlockAnswer,
  failures: ['duckling_missing'],
  attempt: 'peck.blocked',
  handle: (context, { body }) => blockDuckling(context, body.duckling_id),
})
