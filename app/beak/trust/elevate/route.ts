import { endpoint } from '@/lib/http/endpoint'
import { elevateTrust } from '@/lib/trust/elevate'
import { Elevation, ElevationStep } from '@/lib/trust/schema'

export const PUT = endpoint({
  summary: 'Raise your trust tier',
  description:
    'One step at a time: `{phone}` sends a code by SMS, `{otp}` spends it and makes T1 a T2, `{passkey}` (an assertion over a challenge from POST /beak/passkey/challenge with purpose `elevate`) makes T2 a T3.',
  auth: 'session',
  limit: 'authenticated',
  tier: 'T1',
  body: ElevationStep,
  response: Elevation,
  failures: [
    'already_elevated',
    'code_sends_exhausted',
    'code_invalid',
    'code_tries_exhausted',
    'code_paused',
    'code_locked',
    'passkey_refused',
  ],
  attempt: 'trust.elevated',
  handle: (context, { body }) => elevateTrust(context, body),
})
