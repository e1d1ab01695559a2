import { SignedUp, SignUpRequest } from '@/lib/domain/identity/schema'
import { signUp } from '@/lib/domain/identity/sign-up'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'signUp',
  summary: 'Sign up',
  description:
    'Creates a duckling at tier T0, signs it in and mails a verification code. `display_name` is required unless you send `password`. Then the service generates a name if you send none.',
  auth: 'none',
  limit: 'signup',
  body: SignUpRequest,
  response: SignedUp,
  failures: ['identity_exists'],
  attempt: 'duckling.registered',
  handle: async (context, { body }) => ({
    success: true as const,
    message: 'Welcome. We have mailed you a code: send it to POST /beak/verify-email.',
    ...(await signUp(context, {
      email: body.email,
      displayName: body.display_name,
      password: body.password,
      referralCode: body.referral_code,
    })),
  }),
})
