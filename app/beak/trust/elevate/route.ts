import { elevateTrust } from '@/lib/domain/trust/elevate'
import { Elevation, ElevationStep } from '@/lib/domain/trust/schema'
import { endpoint } from '@/lib/http/endpoint'

export const PUT = endpoint({
  summary: 'Raise your trust tier',
  description:
    'One step at a time: `{phone}` sends a code by SMS, `{otp}` spends it and makes T1 a T2 (at T2 and T3 the number changes and the tier stays), `{passkey}` (an assertion over a challenge from POST /beak/passkey/challenge with purpose `elevate`) makes T2 a T3. A number belongs to one account: a newer proof takes it from the older one, which falls to T1. `{phone}` and `{otp}` need a recent sign-in, or a confirmation with a passkey where the account has one.',
  auth: 'session',
  limit: 'authenticated',
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
