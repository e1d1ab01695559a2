import { ChallengeRequest, RequestOptions } from '@/lib/domain/passkeys/schema'
import { challengePasskey } from '@/lib/domain/pecks/decide/challenge'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  summary: 'Ask for a challenge that one of your passkeys answers',
  description:
    'For `elevate` the assertion goes to PUT /beak/trust/elevate, for `approve` to POST /beak/peck/approve, for `confirm` to POST /beak/passkey/confirm with the same session, each in the field `passkey`. The challenge of an approval is the SHA-256 of the statement of that peck, so the passkey signs what is approved.',
  auth: 'session',
  limit: 'authenticated',
  body: ChallengeRequest,
  response: RequestOptions,
  failures: ['passkey_needed', 'peck_missing', 'not_the_target', 'peck_not_pending'],
  attempt: 'passkey.challenged',
  handle: (context, { body }) => challengePasskey(context, body),
})
