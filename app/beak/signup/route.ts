import { SignedUp, SignUpRequest } from '@/lib/domain/identity/schema'
import { signUp } from '@/lib/domain/identity/sign-up'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'signUp',
  summary: 'Sign up',
  description:
    'Creates a duckling at tier T0, signs it in and mails a verification code. Send `full_name`, a name in any script, or `display_name`, or both. Without `display_name` the service makes one from the full name, or generates one. Neither is required with `password`. With `directory_visible: false` the directory never lists the account until its owner changes that. `sign_up_pass` is needed where the operator of the service decides who may sign up.',
  remarks: [
    '`display_name` has 3 to 32 letters and digits, and `full_name` 1 to 40 characters of any script. Neither is unique. A `display_name` that the service makes has the Latin letters of the full name without accents, and its digits. When fewer than 3 are left, or a reserved word, it is one such as `Duck4F7K20QX`.',
    'The address is unique in all its spellings, and has at most 254 characters. A known one is 409, and its owner gets at most one mail a day about the attempt. An unknown `referral_code` is kept and not refused. A `password` has 12 to 128 characters and may not be commonly used; with one, the service generates a name.',
  ],
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
      directoryVisible: body.directory_visible,
      signUpPass: body.sign_up_pass,
    })),
  }),
})
