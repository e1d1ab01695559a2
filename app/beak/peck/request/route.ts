import { requestPeck } from '@/lib/domain/pecks/request/request'
import { Peck, PeckRequest, readPeckDemand } from '@/lib/domain/pecks/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  summary: 'Ask a duckling for permission',
  description:
    'The same question, while it is pending, is not asked twice: the answer is the peck there is, with `repeated`. `limited` is one use, `timed` holds until the grant expires, `standing` until it is revoked. `params` are bound to the approval by `params_hash`. At most ten requests of one operator and all its agents wait for one target. After a rejection, the operator and its agents may not ask that target for the same action for an hour.',
  auth: 'session-or-agent',
  capability: 'request:peck',
  limit: 'authenticated',
  body: PeckRequest,
  response: Peck,
  failures: [
    'peck_to_self',
    'duckling_missing',
    'tier_too_low',
    'target_tier_too_low',
    'peck_recently_rejected',
    'peck_too_many_pending',
  ],
  attempt: 'peck.sent',
  handle: (context, { body }) => requestPeck(context, readPeckDemand(body)),
})
