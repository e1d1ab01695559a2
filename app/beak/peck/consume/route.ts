import { z } from 'zod'
import { endpoint } from '@/lib/http/endpoint'
import { consumeGrant } from '@/lib/pecks/consume'
import { params } from '@/lib/pecks/params'
import { Consumed } from '@/lib/pecks/schema'

export const POST = endpoint({
  summary: 'Spend one use of a permission',
  description:
    'For whoever guards the thing asked for, before giving it out. `params` are what is about to be done, and must be the very ones that were approved. Of many simultaneous uses of a `limited` grant exactly one succeeds.',
  auth: 'none',
  limit: 'anonymous',
  body: z.strictObject({ grant_token: z.string().min(1, 'must not be empty').max(4096), params }),
  response: Consumed,
  failures: ['grant_invalid', 'grant_not_active', 'grant_other_asker'],
  attempt: 'peck.consumed',
  handle: (context, { body }) => consumeGrant(context, body.grant_token, body.params),
})
