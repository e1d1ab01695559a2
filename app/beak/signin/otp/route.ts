import { z } from 'zod'
import { endpoint } from '@/lib/http/endpoint'
import { codeLifetimeSeconds, resendAfterSeconds } from '@/lib/identity/codes'
import { requestSignInCode } from '@/lib/identity/sign-in'
import { email } from '@/lib/kernel/fields'

export const POST = endpoint({
  summary: 'Ask for a sign-in code',
  description:
    'The answer is the same whether or not the address is known. `expires_in` and `resend_after` are seconds.',
  auth: 'none',
  limit: 'otp',
  body: z.strictObject({ email }),
  response: z.object({
    success: z.literal(true),
    message: z.string(),
    expires_in: z.int(),
    resend_after: z.int(),
  }),
  handle: async (context, { body }) => {
    await requestSignInCode(context, body.email)
    return {
      success: true as const,
      message: 'If this address has an account, a code is on its way.',
      expires_in: codeLifetimeSeconds,
      resend_after: resendAfterSeconds,
    }
  },
})
