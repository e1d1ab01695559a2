import { linkFailures } from '@/lib/domain/invitations/create'
import { fatigueFailures, requestPeck } from '@/lib/domain/pecks/request/request'
import { PeckRequest, toPeckRequest } from '@/lib/domain/pecks/request/schema'
import { Peck } from '@/lib/domain/pecks/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'requestPeck',
  summary: 'Ask a duckling for permission',
  description:
    '`target` names the person: an id, `@` and a handle, or an invitation link. `target_duckling_id` does so too, without links. When an identical request is pending, the answer is that peck, with `repeated`. A `limited` permission is for one use, a `timed` one lasts until the grant expires, and a `standing` one until it is revoked. `params_hash` binds `params` to the approval. An operator and all its agents may have at most ten pending requests to one target (a person’s own agents 50), and send a limited number a day, which cancelling does not give back. After a rejection, they may not ask that target for the same action for an hour. From the third rejection in a day on, all their requests to that target are paused, and each further one doubles the pause.',
  remarks: [
    '`params` has at most 4 KiB, and `params_hash` is the SHA-256 of its canonical JSON (RFC 8785). `message` has at most 280 characters and is shown as your own words. A peck waits 24 hours and a timed grant lasts one hour, unless `expires_in` and `grant_expires_in` (60 seconds to 30 days) say otherwise. A `standing` permission needs a target at T2 or higher, who confirms it with a passkey.',
    '`param_types` only changes how the decision page shows a value, and only when the value has that form: `secret` needs a name such as `password`, `diff` needs a sign at the start of each line, and `text` does not replace a more specific form. `audience` is your word, so it is no part of `summary` and of `display.sentence`, and the pages show it with "named by the requester".',
    'Send exactly one of `target` and `target_duckling_id`, otherwise the answer is 400. A person who asks themselves gets 400, too. A tier below the target’s `min_peck_tier` is 403. With an invitation, and for a contact with `always`, T1 is enough.',
    'A status never changes again once the peck is not pending. `grant_status` is null before an approval. `summary` is written by the service from facts, never from your text. `grant_token` is for the asker only: a JWT (`typ: peck+jwt`) with `peck_id`, `sub` (the asker), `target`, `action`, `scope`, `params_hash` and `exp`. The service accepts no token that it did not give out.',
    '`risk` is for the target only, in answers to reads (/docs/risk). It is computed when the peck is sent, from the raw action and params. Its texts show no secret, and words of the asker stand in quotation marks that they cannot close. Names are not unique, so pages show the handle or the end of the id, the tier and since when beside every name but your own. Only the target sees `member_since`. `target_handle` is there when the target has answered: asking reveals no handle.',
    'With `require`, POST /beak/peck/decide answers `passkey_needed`, and an approval without an assertion is 403 for every kind of session. The service that will act accepts each `challenge` once. Nobody here can compare the code of `code_hash`: a wrong code is an approval, which the service that knows the code refuses. A rejection needs no code. A request with other demands is another request.',
  ],
  auth: 'session-or-agent',
  capability: 'request:peck',
  limit: 'authenticated',
  idempotencyKey: true,
  body: PeckRequest,
  response: Peck,
  failures: [
    'peck_to_self',
    'duckling_not_found',
    'asks_owner_only',
    ...linkFailures,
    'invitation_mismatch',
    'tier_too_low',
    'target_tier_too_low',
    ...fatigueFailures,
  ],
  attempt: 'peck.sent',
  handle: (context, { body }) => requestPeck(context, toPeckRequest(body)),
})
