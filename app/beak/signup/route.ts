import { SignedUp, SignUpRequest } from '@/lib/domain/identity/schema'
import { signUp } from '@/lib/domain/identity/sign-up'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'signUp',
  summary: 'Sign up',
  description:
    'Creates a duckling at tier T0, signs it in and mails a verification code. Send `full_name`, a name in any script, or `display_name`, or both. Without `display_name` the service makes one from the full name, or generates one. Neither is required with `password`. `sign_up_pass` is needed where the operator of the service decides who may sign up.',
  auth: 'none',
  limit: 'signup',
  body: SignUpRequest,
  response: SignedUp,
  failures: ['identity_exists', 'sign_up_closed', 'sign_up_pass_invalid', 'sign_up_domain_refused'],
  attempt: 'duckling.registered',
  handle: async (context, { body }) => ({
    success: true as const,
    message: 'Welcome. We have mailed you a code: send it to POST /beak/verify-email.',
    ...(await signUp(context, {
      email: body.email,
      displayName: body.display_name,
      fullName: body.full_name,
      password: body.password,
      referralCode: body.referral_code,
      signUpPass: body.sign_up_pass,
    })),
  }),
})
