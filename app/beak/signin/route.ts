import { z } from 'zod'
import { SignIn } from '@/lib/domain/identity/schema'
import { signInWithCode, signInWithPassword } from '@/lib/domain/identity/sign-in'
import { endpoint } from '@/lib/http/endpoint'
import { instant, tier } from '@/lib/kernel/request/fields'

export const POST = endpoint({
  operationId: 'signIn',
  summary: 'Sign in with a mailed code or a password',
  description:
    'Send either `otp` or, if the account has one, `password`. Ask for a code with POST /beak/signin/otp. Store `device_token` (valid for 180 days) and send it with the next sign-in from the same device. The tries of a known device are counted separately, so wrong codes of strangers cannot lock it out.',
  remarks: ['An unknown address and a wrong code get the same answer.'],
  auth: 'none',
  limit: 'signin',
  body: SignIn,
  response: z.object({ token: z.string(), expires_at: instant, trust_tier: tier, device_token: z.string() }),
  failures: [
    'sign_in_failed',
    'session_invalid',
    'account_suspended',
    'too_many_wrong_codes',
    'code_paused',
    'code_locked',
  ],
  attempt: 'session.started',
  handle: (context, { body }) =>
    body.otp === undefined
      ? signInWithPassword(context, body.email, body.password ?? '', body.device_token)
      : signInWithCode(context, body.email, body.otp, body.device_token),
})
