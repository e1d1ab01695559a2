import { elevateTrust } from '@/lib/domain/trust/elevate'
import { Elevation, ElevationStep } from '@/lib/domain/trust/schema'
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
    'already_elevated',
    'code_sends_exhausted',
    'code_invalid',
    'code_tries_exhausted',
    'code_paused',
    'code_locked',
    'texts_exhausted',
    'fresh_sign_in_needed',
    'passkey_proof_needed',
    'passkey_refused',
  ],
  attempt: 'trust.elevated',
  handle: (context, { body }) => elevateTrust(context, body),
})
