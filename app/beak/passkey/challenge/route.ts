import { Challenge, ChallengeRequest } from '@/lib/domain/passkeys/schema'
import { challengePasskey } from '@/lib/domain/pecks/decide/challenge'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'requestPasskeyChallenge',
  summary: 'Create a challenge for one of your passkeys',
  description:
    'Send the assertion in the field `passkey`: for `elevate` to PUT /beak/trust/elevate, for `approve` to POST /beak/peck/approve, for `reject` to POST /beak/peck/reject, for `confirm` to POST /beak/passkey/confirm with the same session, for `endorse` to POST /beak/passkey/endorse, for `rule` to POST /beak/rule/create, update or resume. With `approver`, your approver signs (/docs/approver). The challenge of a decision is the SHA-256 of its statement, so the passkey signs what is decided. The answer has that `statement`, except with `statement_version` 1 (/docs/receipts).',
  remarks: [
    'Without `statement_version`, it is the oldest version from 2 on that has all that the request demands, because verifiers of 0.2.0 refuse 3. It is 1, as far as 1 has all of it, while an instance of 0.2.0 runs on the same database and could get the assertion. An approval of a request with `code_hash` needs `code`. Asking for a version that lacks what the request demands is 400.',
    'For `endorse`, only passkeys older than `passkey_id` can answer. Without one, the answer is 409.',
    'For `rule`, `rule` alone is a new rule, both are a changed one, and `rule_id` alone is one that is resumed as it is.',
  ],
  auth: 'session',
  limit: 'authenticated',
  body: ChallengeRequest,
  response: Challenge,
  failures: [
    'no_passkey_registered',
    'no_older_passkey',
    'approver_not_found',
    'passkey_not_found',
    'peck_not_found',
    'not_the_target',
    'peck_not_pending',
    'agent_not_registered',
    'duckling_not_found',
    'tier_too_low',
    'rule_not_found',
    'rule_ended',
  ],
  attempt: 'passkey.challenged',
  handle: (context, { body }) => challengePasskey(context, body),
})
