import { ChallengeRequest, RequestOptions } from '@/lib/domain/passkeys/schema'
import { challengePasskey } from '@/lib/domain/pecks/decide/challenge'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'requestPasskeyChallenge',
  summary: 'Create a challenge for one of your passkeys',
  description:
    'Send the assertion in the field `passkey`: for `elevate` to PUT /beak/trust/elevate, for `approve` to POST /beak/peck/approve, for `confirm` to POST /beak/passkey/confirm with the same session. The challenge of an approval is the SHA-256 of the statement of the peck, so the passkey signs what is approved.',
  auth: 'session',
  limit: 'authenticated',
  body: ChallengeRequest,
  response: RequestOptions,
  failures: ['passkey_needed', 'peck_missing', 'not_the_target', 'peck_not_pending'],
  attempt: 'passkey.challenged',
  handle: (context, { body }) => challengePasskey(context, body),
})
