import { linkFailures } from '@/lib/domain/invitations/use'
import { requestPeck } from '@/lib/domain/pecks/request/request'
import { PeckRequest, toPeckRequest } from '@/lib/domain/pecks/request/schema'
import { Peck } from '@/lib/domain/pecks/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'requestPeck',
  summary: 'Ask a duckling for permission',
  description:
    '`target` names the person: an id, `@` and a handle, or an invitation link. `target_duckling_id` does so too, without links. When an identical request is pending, the answer is that peck, with `repeated`. A `limited` permission is for one use, a `timed` one lasts until the grant expires, and a `standing` one until it is revoked. `params_hash` binds `params` to the approval. An operator and all its agents may have at most ten pending requests to one target (a person’s own agents 50), and send a limited number a day, which cancelling does not give back. After a rejection, they may not ask that target for the same action for an hour. From the third rejection in a day on, all their requests to that target are paused, and each further one doubles the pause.',
  auth: 'session-or-agent',
  capability: 'request:peck',
  limit: 'authenticated',
  idempotencyKey: true,
  body: PeckRequest,
  response: Peck,
  failures: [
    'peck_to_self',
    'duckling_not_found',
    ...linkFailures,
    'invitation_mismatch',
    'tier_too_low',
    'target_tier_too_low',
    'peck_recently_rejected',
    'asker_paused',
    'too_many_pending_pecks',
    'too_many_pecks',
  ],
  attempt: 'peck.sent',
  handle: (context, { body }) => requestPeck(context, toPeckRequest(body)),
})
