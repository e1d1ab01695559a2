import { Consumed, GrantUse } from '@/lib/domain/pecks/use/schema'
import { checkCountedUse, consumeGrant } from '@/lib/domain/pecks/use/use'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'consumeGrant',
  summary: 'Spend one use of a permission',
  description:
    'Call this in the service that is about to do what was approved, before doing it. `params` must equal the approved params. Of many simultaneous uses of a `limited` grant, exactly one succeeds. The receipt in the answer is from after the use: compare it with your own policy, because a service that lies can answer `active` too.',
  auth: 'none',
  limit: 'anonymous',
  idempotencyKey: true,
  checkReplay: (context, { body }) => checkCountedUse(context, body.grant_token),
  body: GrantUse,
  response: Consumed,
  failures: ['grant_token_invalid', 'grant_not_active', 'grant_mismatch', 'grant_audience_mismatch'],
  attempt: 'peck.consumed',
  handle: (context, { body }) =>
    consumeGrant(context, { grantToken: body.grant_token, params: body.params, audience: body.audience }),
})
