import { z } from 'zod'
import { endpoint } from '@/lib/http/endpoint'
import { idSchema } from '@/lib/kernel/ids'
import { blockDuckling } from '@/lib/pecks/block'
import { BlockAnswer } from '@/lib/pecks/schema'

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
