import { Elevation, ElevationStep, elevateTrust } from '@/lib/domain/trust/elevate'
import { endpoint } from '@/lib/http/endpoint'

export const PUT = endpoint({
  operationId: 'elevateTrust',
  summary: 'Raise your trust tier',
  description:
    'Each call takes one step. `{phone}` sends a code by SMS. `{otp}` spends the code and raises T1 to T2; at T2 and T3 it changes the number and the tier stays. `{passkey}` raises T2 to T3 with the assertion for a challenge from POST /beak/passkey/challenge with purpose `elevate`. A number belongs to one account: when another account verifies it, the older one loses it and becomes T1. `{phone}` and `{otp}` need a recent sign-in, or a confirmation with a passkey when the account has one.',
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  tier: 'T1',
  body: ElevationStep,
  response: Elevation,
  failures: [
    'tier_too_low',
    'tier_already_reached',
    'too_many_codes_sent',
    'code_invalid',
    'too_many_wrong_codes',
    'code_paused',
    'code_locked',
    'too_many_text_messages',
    'fresh_sign_in_needed',
    'fresh_passkey_needed',
    'passkey_assertion_invalid',
  ],
  attempt: 'trust.elevated',
  handle: (context, { body }) => elevateTrust(context, body),
})
