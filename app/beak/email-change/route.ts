import { z } from 'zod'
import { changeEmail, requestEmailChange } from '@/lib/domain/identity/change-email'
import { CodeSent, Profile } from '@/lib/domain/identity/schema'
import { endpoint } from '@/lib/http/endpoint'
import { otpCode } from '@/lib/kernel/request/fields'
import { email } from '@/lib/kernel/typed/email'

export const POST = endpoint({
  operationId: 'changeEmail',
  summary: 'Change your email address',
  description:
    'First send `new_email`: a code is mailed to it, and the answer says for how many seconds the code is valid. Then send `new_email` and that code as `otp`: the answer is your profile. Both steps require a passkey proof in the last 10 minutes, or a sign-in in the last 10 minutes when the account has no passkey. If the old address was verified, it is mailed a link that can undo the change for 7 days.',
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: z.strictObject({ new_email: email, otp: otpCode.optional() }),
  response: z.union([Profile, CodeSent]),
  failures: [
    'fresh_sign_in_needed',
    'fresh_passkey_needed',
    'too_many_codes_sent',
    'code_invalid',
    'too_many_wrong_codes',
    'code_paused',
    'code_locked',
    'identity_exists',
  ],
  attempt: 'duckling.email_changed',
  handle: (context, { body: { new_email: to, otp } }) =>
    otp === undefined ? requestEmailChange(context, to) : changeEmail(context, to, otp),
})
