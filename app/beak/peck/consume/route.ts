import { z } from 'zod'
import { checkCountedUse, consumeGrant } from '@/lib/domain/pecks/grant/consume'
import { params } from '@/lib/domain/pecks/params'
import { Consumed } from '@/lib/domain/pecks/schema'
import { endpoint } from '@/lib/http/endpoint'
import { hostNameField } from '@/lib/kernel/host-name'

export const POST = endpoint({
  operationId: 'consumeGrant',
  summary: 'Spend one use of a permission',
  description:
    'Call this in the service that is about to do what was approved, before doing it. `params` must equal the approved params. Of many simultaneous uses of a `limited` grant, exactly one succeeds.',
  auth: 'none',
  limit: 'anonymous',
  idempotencyKey: true,
  checkReplay: (context, { body }) => checkCountedUse(context, body.grant_token),
  body: z.strictObject({
    grant_token: z.string().min(1, 'must not be empty').max(4096),
    params,
    audience: hostNameField
      .meta({ description: 'Your host name. A permission for another service is refused.' })
      .optional(),
  }),
  response: Consumed,
  failures: ['grant_token_invalid', 'grant_not_active', 'grant_mismatch', 'grant_audience_mismatch'],
  attempt: 'peck.consumed',
  handle: (context, { body }) =>
    consumeGrant(context, { grantToken: body.grant_token, params: body.params, audience: body.audience }),
})
