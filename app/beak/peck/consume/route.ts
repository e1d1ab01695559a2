import { Consumed, checkCountedUse, consumeGrant, GrantUse } from '@/lib/domain/pecks/use/use'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'consumeGrant',
  summary: 'Spend one use of a permission',
  description:
    'Call this in the service that is about to do what was approved, before doing it. `params` must equal the approved params. Of many simultaneous uses of a `limited` grant, exactly one succeeds. The receipt in the answer is from after the use: compare it with your own policy, because a service that lies can answer `active` too.',
  remarks: [
    'It needs no credential. Only a token that was given out is accepted. An ended grant is 409 with `current_status`, an unknown token 401, other params 403, with `errors` when only types or a single param differ: more would let somebody who found a token guess one param after the other. An `audience` other than the asker’s is 403; without either of the two, the audience is not checked.',
    'While the person has paused everything, the answer is 409 `paused`, with `current_status: "paused"`. The permission goes on when the person resumes, so do not ask again: try the same use later.',
    '`receipt` has all params, which you have just named, and not what the page displayed, which has words of the asker. `requester` has no handle.',
  ],
  auth: 'none',
  limit: 'anonymous',
  idempotencyKey: true,
  checkReplay: (context, { body }) => checkCountedUse(context, body.grant_token),
  body: GrantUse,
  response: Consumed,
  failures: [
    'grant_token_invalid',
    'grant_not_active',
    'grant_mismatch',
    'grant_audience_mismatch',
    'paused',
  ],
  attempt: 'peck.consumed',
  handle: (context, { body }) =>
    consumeGrant(context, { grantToken: body.grant_token, params: body.params, audience: body.audience }),
})
